"""ck.py WORKDIR OUT: adapter folder + gguf of a checkpoint"""
import sys,torch,shutil,json
from pathlib import Path
from finetune.lora import adapters
from finetune.lora.network import lora
from finetune.lora.settings import StageSettings
from data.pretrained.conversion import open_base_folder
from data.pretrained.shipped import open_shipped_gguf
from finetune.shipping import ship_adapter
w=Path(sys.argv[1]); out=Path(sys.argv[2])
st=torch.load(w/'checkpoint.pt',weights_only=True); print(len(st['points']),st['points'][-1])
s=StageSettings("single",rank=32,alpha=64.0,dropout=0.0)
shutil.rmtree(out,ignore_errors=True)
adapters.save(out,{k:torch.nn.Parameter(v) for k,v in st['weights'].items()},lora(s),open_base_folder())
ship=out.with_name(out.name+'-ship'); shutil.rmtree(ship,ignore_errors=True)
print(ship_adapter(out,ship)); print(open_shipped_gguf(ship))
