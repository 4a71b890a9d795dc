"""digits.py CHECKPOINT.pt|ADAPTERDIR N: teacher-forced accuracy at the digits of unseen answers (last rows of /work/probe.pkl)."""
import sys,pickle,torch,numpy as np,time
from pathlib import Path
from safetensors.torch import load_file
from tokenizers import Tokenizer
from data.pretrained.conversion import open_base_folder
from finetune.lora import network
from finetune.lora.settings import StageSettings
torch.set_num_threads(2)
base=open_base_folder(); T=Tokenizer.from_file(str(base/'tokenizer.json'))
src=sys.argv[1]; N=int(sys.argv[2])
m=network.adapted(StageSettings("single",rank=32,alpha=64.0,dropout=0.0,precision="f32",recompute=False),base)
cur=network.trained_weights(m)
if src.endswith('.pt'):
    st=torch.load(src,weights_only=True); sd=st['weights']; print('points',len(st['points']))
else:
    sd=load_file(src+'/adapter_model.safetensors')
miss=0
with torch.no_grad():
    for k,w in cur.items():
        if k in sd: w.copy_(sd[k])
        else: miss+=1
print('missing',miss)
m=m.merge_and_unload() if hasattr(m,'merge_and_unload') else m.get_base_model()
m.set_attn_implementation('sdpa'); m.eval()
rows=pickle.load(open('/work/probe.pkl','rb'))[:N]
tok=[T.decode([i],skip_special_tokens=False) for i in range(T.get_vocab_size())]
dig=np.array([t.strip().isdigit() for t in tok])
R=[];t0=time.time(); allnll=[]
for r in rows:
    ids=torch.tensor(r.ids.astype(np.int64))
    with torch.inference_mode():
        h=m.model(ids[None]).last_hidden_state[0]
        at=np.where(r.parts==3)[0] if False else None
        lab=np.where(r.parts>0)[0]
        lg=m.lm_head(h[lab-1]).float().log_softmax(-1)
    p=lg[torch.arange(len(lab)),ids[lab]].numpy(); am=lg.argmax(-1).numpy()
    allnll.append((-p.sum(),len(p)))
    # answer region: after FINAL_ANSWER marker text
    txt=[tok[i] for i in r.ids]; s=''.join(txt); 
    cum=np.cumsum([len(t) for t in txt]); fa=s.rfind('[FINAL_ANSWER]')
    src_txt=s[:fa]
    for j,q in enumerate(lab):
        if dig[r.ids[q]]:
            inans=cum[q]>fa
            first=not dig[r.ids[q-1]]
            R.append((inans,first,p[j],am[j]==r.ids[q]))
R=np.array(R,dtype=float)
print('rows',len(rows),'sec',round(time.time()-t0),'nll',sum(a for a,_ in allnll)/sum(b for _,b in allnll))
for nm,s in (('answer first',(R[:,0]==1)&(R[:,1]==1)),('answer later',(R[:,0]==1)&(R[:,1]==0)),('before first',(R[:,0]==0)&(R[:,1]==1)),('before later',(R[:,0]==0)&(R[:,1]==0))):
    x=R[s]; P=np.exp(x[:,2]); print(nm,len(x),'acc',round(x[:,3].mean(),3),'mean p',round(P.mean(),3),'p<.1',round((P<.1).mean(),3),'p<.3',round((P<.3).mean(),3),'p>.9',round((P>.9).mean(),3))
