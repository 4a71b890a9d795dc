"""train.py STAGE(first|single) MINUTES EPOCHS LR OUT [--from ADAPTER]"""
import sys,time,math,json,argparse
sys.path.insert(0,'/work/gen'); sys.path.insert(0,'/work/gen/trainsnap')
import torch, numpy as np
ap=argparse.ArgumentParser(); ap.add_argument('stage'); ap.add_argument('--minutes',type=float); ap.add_argument('--epochs',type=float,default=3); ap.add_argument('--lr',type=float,default=1e-3); ap.add_argument('--rank',type=int,default=32); ap.add_argument('--out'); ap.add_argument('--init'); ap.add_argument('--rows',type=int,default=16); ap.add_argument('--minlr',type=float,default=0.1)
a=ap.parse_args()
torch.set_num_threads(2); torch.manual_seed(0)
import os
from pathlib import Path
from data.pretrained.conversion import open_base_folder
from data import bundle
from finetune.lora import network
from finetune.lora.settings import StageSettings
from finetune.lora.rows import row, example, Row
from finetune.lora.bunches import pack, Plan, steps
from finetune.lora.loss import summed
from scribe.backends.hf import chat_tokenizer
from tools.build import toolbox
from tools.search.vault import Vault
from tools.embedder import MiniLM
from scribe.trajectory import Stop
from dataclasses import replace
import convert
chat=chat_tokenizer(open_base_folder())
v=Vault(MiniLM()); listing={}
for c in ("dsp","geo","va"):
    co=bundle.find(c); listing[c]=toolbox(co,next(iter(co.students)),v).listing
data=convert.build(partial=True)
rows=[]; bad={}
for i,t,info in data:
    t=replace(t,stop=Stop.ANSWERED)
    r=row(i,t,listing[t.task.course],chat,3500)
    if isinstance(r,Row): rows.append(r)
    else: bad[r]=bad.get(r,0)+1
ex=[e for r in rows if (e:=example(r,a.stage))]
rng=np.random.default_rng(0)
held=[e for k,e in enumerate(ex) if hash(e.id.split('/')[0])%25==0] if False else []
import zlib
held=[e for e in ex if zlib.crc32(e.id.split('/')[0].encode())%30==0]; ex=[e for e in ex if zlib.crc32(e.id.split('/')[0].encode())%30!=0]
print(len(rows),bad,"train",len(ex),"held",len(held),"ids",sum(len(e.ids) for e in ex),"taught",sum(e.taught for e in ex),flush=True)
s=StageSettings(learn=a.stage,rank=a.rank,alpha=2.0*a.rank,dropout=0.0,precision="f32",recompute=False)
m=network.adapted(s,open_base_folder()); net=m.get_base_model()
if a.init:
    from safetensors.torch import load_file
    sd=load_file(a.init+'/adapter_model.safetensors'); cur=network.trained_weights(m)
    for k,w in cur.items(): w.data.copy_(sd[k])
W=network.trained_weights(m); opt=torch.optim.AdamW(W.values(),lr=0,betas=(0.9,0.99),weight_decay=0.0)
plan=[]; left=a.epochs
while left>1e-9:
    ep=list(steps(ex,Plan(a.rows,3,2600),rng)); plan+=ep[:math.ceil(len(ep)*min(left,1))]; left-=1
hp=[one for st in steps(held,Plan(len(held) or 1,3,2600),rng) for one in st] if held else []
def hloss():
    with torch.no_grad():
        tot=0;n=0
        for p in hp:
            b=pack([held[k] for k in p]); tot+=float(summed(net,b)); n+=b.taught
    return tot/max(n,1)
def save():
    Path(a.out).mkdir(parents=True,exist_ok=True); m.save_pretrained(a.out)
t0=time.time(); N=len(plan); print("steps",N,flush=True); seen=0
print("held0",round(hloss(),3),flush=True)
for k,st in enumerate(plan):
    frac=k/N if not a.minutes else max(k/N,(time.time()-t0)/60/a.minutes)
    if frac>=1: break
    lr=a.lr*(min(1,(k+1)/max(4,0.04*N)))*(a.minlr+(1-a.minlr)*0.5*(1+math.cos(math.pi*frac)))
    for g in opt.param_groups: g['lr']=lr
    bs=[pack([ex[x] for x in p]) for p in st]; n=sum(b.taught for b in bs); tot=0
    for b in bs:
        l=summed(net,b)/n; l.backward(); tot+=float(l)
    torch.nn.utils.clip_grad_norm_(W.values(),1.0); opt.step(); opt.zero_grad(set_to_none=True)
    seen+=sum(len(b.ids) for b in bs)
    if k%2==0: print(k,"loss",round(tot,3),"lr",f"{lr:.1e}",round(seen/(time.time()-t0),1),"tok/s",round((time.time()-t0)/60,1),"min",flush=True)
    if k%40==39: save(); print("held",round(hloss(),3),flush=True)
save(); print("held end",round(hloss(),3),"done",round((time.time()-t0)/60,1),flush=True)
