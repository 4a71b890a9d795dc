"""save8.py ADAPTERDIR OUT.safetensors: rows of each matrix in eight bits with their scales (`deq.py` turns it back)."""
import sys,torch
from safetensors.torch import load_file,save_file
sd=load_file(sys.argv[1]+'/adapter_model.safetensors'); out={}
for k,w in sd.items():
    w=w.float()
    scale=(w.abs().amax(1)/127).clamp_min(1e-12)
    out[k]=(w/scale[:,None]).round().clamp(-127,127).to(torch.int8); out[k+'.scale']=scale
save_file(out,sys.argv[2])
