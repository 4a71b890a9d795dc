import sys,torch,shutil
from pathlib import Path
from finetune.lora import adapters
from finetune.lora.network import lora
from finetune.lora.settings import StageSettings
from data.pretrained.conversion import open_base_folder
w=Path(sys.argv[1]); out=Path(sys.argv[2])
st=torch.load(w/'checkpoint.pt',weights_only=True); print(len(st['points']),st['points'][-1])
s=StageSettings("single",rank=32,alpha=64.0,dropout=0.0)
shutil.rmtree(out,ignore_errors=True)
full=adapters_all=None
from safetensors.torch import load_file
ws=load_file('/work/adapter/adapter_model.safetensors'); print(len(ws),len(st['weights']))
ws.update(st['weights'])
adapters.save(out,{k:torch.nn.Parameter(v) for k,v in ws.items()},lora(s),open_base_folder())
print(open_base_folder())
