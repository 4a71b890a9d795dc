"""mkgguf.py ADAPTER OUT: a peft adapter of the base, shipped form, merged to Q8_0."""
import sys; sys.path.insert(0,'/work/und')
from pathlib import Path
import shutil
from data.pretrained.conversion import open_base_folder
from data.pretrained.shipped import open_shipped_gguf
from finetune.weights import note_base
from finetune.shipping import ship_adapter
a=Path(sys.argv[1]); t=Path(sys.argv[2])
note_base(a,open_base_folder())
shutil.rmtree(t,ignore_errors=True); t.parent.mkdir(parents=True,exist_ok=True)
print(ship_adapter(a,t)); print(open_shipped_gguf(t))
