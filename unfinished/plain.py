import pickle,gzip
from pathlib import Path
import numpy as np
from data.pretrained.conversion import open_base_folder
from finetune.conversations.dataset import read_dataset
from finetune.lora.rows import Row,FIRST,LATER,CONTEXT,is_good
from finetune.lora.quoting import quoting
from finetune.lora import store
from scribe.backends.hf import chat_tokenizer
from scribe.transcript import opening,of_step
from scribe.trajectory import Answer,Stop
from scribe.messages import OPENER
from scribe.quotes import read_quotes
base=open_base_folder(); chat=chat_tokenizer(base)
out=[]; import json,glob; from dataclasses import replace
plain={}
for l in gzip.open('finetune/conversations/plain.jsonl.gz','rt'):
    d=json.loads(l); plain[d["id"]]=d["answer"]
print(len(plain))
for q in read_dataset(Path('finetune/conversations/conversations.jsonl.gz')):
    t=q.trajectory
    if t.stop is not Stop.ANSWERED: continue
    if q.id in plain: t=replace(t,steps=(*t.steps[:-1],replace(t.steps[-1],text=plain[q.id])))
    else: continue
    t=quoting(t)
    ids=list(chat.start_ids()); parts=[CONTEXT]*len(ids)
    def add(message,part):
        for new,written in chat.labelled_message(message):
            ids.extend(new); parts.extend([part if written else CONTEXT]*len(new))
    for m in opening(t.task,'')[1:]: add(m,CONTEXT)
    part=FIRST
    for s in t.steps:
        good=is_good(s)
        for m in of_step(s):
            if m.role=='tool': continue
            if isinstance(s,Answer) and (quotes:=read_quotes(s.thought)[0]):
                head=''.join(f'> {x}\n' for x in quotes)
                
                pieces=chat.labelled_message(m)
                for new,written in pieces:
                    if written and len(new)>3:
                        text=m.content.removeprefix(OPENER); k=text.index(head)+len(head)
                        a=chat.encode(text[:k],False); b=chat.encode(text[k:],False)
                        ids.extend(a); parts.extend([part]+[CONTEXT]*(len(a)-1)); ids.extend(b); parts.extend([part]*len(b))
                    else:
                        ids.extend(new); parts.extend([part if written else CONTEXT]*len(new))
            else: add(m,part if good else CONTEXT)
        part=LATER if good else part
    out.append(Row(q.id,np.array(ids,np.int32),np.array(parts,np.int8),3))
L=np.array([len(r.ids) for r in out]); print(len(out),L.mean(),np.percentile(L,[50,95,100]),np.mean([(r.parts>0).sum() for r in out]))
from tokenizers import Tokenizer
T=Tokenizer.from_file(str(base/'tokenizer.json'))
r=out[7]; print(T.decode(list(map(int,r.ids)),skip_special_tokens=False)); print('TAUGHT',T.decode([int(i) for i,p in zip(r.ids,r.parts) if p],skip_special_tokens=False))
store.write(Path('/work/plain.parquet'),out)
