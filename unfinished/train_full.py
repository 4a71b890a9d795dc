"""train.py STAGE(first|single) MINUTES EPOCHS LR OUT [--from ADAPTER]"""
import sys,time,math,json,argparse
sys.path.insert(0,'/work/gen'); sys.path.insert(0,'/work/snap')
import torch, numpy as np
ap=argparse.ArgumentParser(); ap.add_argument('stage'); ap.add_argument('--minutes',type=float); ap.add_argument('--epochs',type=float,default=3); ap.add_argument('--lr',type=float,default=1e-3); ap.add_argument('--rank',type=int,default=32); ap.add_argument('--out'); ap.add_argument('--init'); ap.add_argument('--rows',type=int,default=16); ap.add_argument('--data'); ap.add_argument('--quick',type=int,default=0); ap.add_argument('--int8',type=int,default=0); ap.add_argument('--frozen',type=int,default=0); ap.add_argument('--longest',type=int,default=0); ap.add_argument('--skip'); ap.add_argument('--seen'); ap.add_argument('--only'); ap.add_argument('--together',type=int,default=8); ap.add_argument('--tokens',type=int,default=5200); ap.add_argument('--seed',type=int,default=0); ap.add_argument('--minlr',type=float,default=0.1)
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
from scribe.backends.hf import chat_tokenizer
from tools.build import toolbox
from tools.search.vault import Vault
from tools.embedder import MiniLM
from scribe.trajectory import Stop
from dataclasses import replace
import gzip
from scribe import records
import fused2 as fused
summed=fused.summed
from transformers import AttentionInterface
from finetune.lora import attention
from finetune.conversations.dataset import read_dataset
chat=chat_tokenizer(open_base_folder())
v=Vault(MiniLM()); listing={}
for c in ("dsp","geo","va"):
    co=bundle.find(c); listing[c]=toolbox(co,next(iter(co.students)),v).listing
recs=list(read_dataset(Path(a.data)))
def size(q):
    t=q.trajectory
    return len(t.task.question)+sum(len(x.question)+len(x.answer) for x in t.task.history)+sum(len(o.content) for c in t.acts for o in c.observations)+sum(len(s.thought) for s in t.steps)+len(t.answer)
if a.longest: recs=[q for q in recs if size(q)<=a.longest]
if a.skip:
    gone=set(Path(a.skip).read_text().split()); recs=[q for q in recs if q.id not in gone]
rows=[]; bad={}
for q in recs:
    t=q.trajectory
    r=row(q.id,t,listing[t.task.course],chat,3000)
    if isinstance(r,Row): rows.append(r)
    else: bad[r]=bad.get(r,0)+1
only=set(Path(a.only).read_text().split()) if a.only else None
if only is not None: rows=[r for r in rows if r.id in only]
ex=[e for r in rows if (e:=example(r,a.stage))]
rng=np.random.default_rng(a.seed)
held=[e for k,e in enumerate(ex) if hash(e.id.split('/')[0])%25==0] if False else []
import zlib
held=[e for e in ex if zlib.crc32(e.id.split('/')[0].encode())%90==0]; ex=[e for e in ex if zlib.crc32(e.id.split('/')[0].encode())%90!=0]
print(len(rows),bad,"train",len(ex),"held",len(held),"ids",sum(len(e.ids) for e in ex),"taught",sum(e.taught for e in ex),flush=True)
s=StageSettings(learn=a.stage,rank=a.rank,alpha=2.0*a.rank,dropout=0.0,precision="f32",recompute=False)
m=network.adapted(s,open_base_folder())
from safetensors.torch import load_file
sd=load_file(a.init+'/adapter_model.safetensors'); cur=network.trained_weights(m)
for k,w in cur.items(): w.data.copy_(sd[k])
net=m.merge_and_unload(); AttentionInterface.register(attention.NAME, fused.attend)
import re
W={}
for n,w in net.named_parameters():
    l=re.search(r'layers\.(\d+)\.',n); on=bool(l) and int(l[1])>=a.frozen and w.ndim==2
    w.requires_grad_(on)
    if on: W[n]=w
print('trained',sum(w.numel() for w in W.values()))
opt=torch.optim.AdamW(W.values(),lr=0,betas=(0.9,0.99),weight_decay=0.0)
m=net
plan=[]; left=a.epochs
while left>1e-9:
    ep=list(steps(ex,Plan(a.rows,a.together,a.tokens),rng)); plan+=ep[:math.ceil(len(ep)*min(left,1))]; left-=1
hp=[one for st in steps(held,Plan(len(held) or 1,a.together,a.tokens),rng) for one in st] if held else []
def hloss():
    with torch.no_grad():
        tot=0;n=0
        for p in hp:
            b=pack([held[k] for k in p]); tot+=float(summed(net,b)); n+=b.taught
    return tot/max(n,1)
def save():
    Path(a.out).mkdir(parents=True,exist_ok=True); m.save_pretrained(a.out)
t0=time.time(); N=len(plan); print("steps",N,flush=True); seen=0
if not a.quick: print("held0",round(hloss(),3),flush=True)
for k,st in enumerate(plan):
    if a.quick and k>=a.quick: print('quick end',round(hloss(),4),flush=True); break
    frac=k/N if not a.minutes else max(k/N,(time.time()-t0)/60/a.minutes)
    if frac>=1: break
    lr=a.lr*(min(1,(k+1)/max(4,0.04*N)))*(a.minlr+(1-a.minlr)*0.5*(1+math.cos(math.pi*frac)))
    for g in opt.param_groups: g['lr']=lr
    bs=[pack([ex[x] for x in p]) for p in st]; n=sum(b.taught for b in bs); tot=0
    for b in bs:
        l=summed(net,b)/n; l.backward(); tot+=float(l)
    torch.nn.utils.clip_grad_norm_(W.values(),1.0); opt.step(); opt.zero_grad(set_to_none=True)
    seen+=sum(len(b.ids) for b in bs)
    if a.seen: open(a.seen,'a').write('\n'.join(ex[x].id for p in st for x in p)+'\n')
    if k%1==0: print(k,"loss",round(tot,3),"lr",f"{lr:.1e}",round(seen/(time.time()-t0),1),"tok/s",round((time.time()-t0)/60,1),"min",flush=True)
    if k%20==19: save()
    if k%60==59: print("held",round(hloss(),3),flush=True)
save(); print("held end",round(hloss(),3),"done",round((time.time()-t0)/60,1),flush=True)
