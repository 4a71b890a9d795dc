import sys,torch,json,shutil
from pathlib import Path
from safetensors.torch import load_file,save_file
sd=load_file('/work/und/unfinished/adapter-run22-int8.safetensors')
out={}
for k,w in sd.items():
    if k.endswith('.scale'): continue
    out[k]=(w.float()*sd[k+'.scale'].float().view(-1,1)) if k+'.scale' in sd else w.float()
p=Path('/work/adapter'); p.mkdir(exist_ok=True)
print(len(out),list(out)[:2],list(sd)[:3])
save_file(out,p/'adapter_model.safetensors')
shutil.copy('/work/und/unfinished/adapter_config.json',p/'adapter_config.json')
from finetune.weights import note_base
from data.pretrained.conversion import open_base_folder
note_base(p,open_base_folder())
