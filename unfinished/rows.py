import sys,collections,pickle
from pathlib import Path
import numpy as np
from data.pretrained.conversion import open_base_folder
from finetune.conversations.dataset import read_dataset
from finetune.lora.rows import row,Row,FIRST,LATER
from finetune.lora.examples import listing
from scribe.backends.hf import chat_tokenizer
from functools import cache
base=open_base_folder(); chat=chat_tokenizer(base); L=cache(listing)
rows=[]
import gzip,json
from dataclasses import replace
plain={d["id"]:d["answer"] for d in map(json.loads,gzip.open('finetune/conversations/plain.jsonl.gz','rt'))}
for q in read_dataset(Path('finetune/conversations/conversations.jsonl.gz')):
    t=q.trajectory
    t=replace(t,steps=(*t.steps[:-1],replace(t.steps[-1],text=plain[q.id])))
    r=row(q.id,t,L(t.task.course),chat,4000)
    if isinstance(r,Row): rows.append(r)
print(len(rows))
tot=np.array([len(r.ids) for r in rows]); op=np.array([r.opening for r in rows])
f=np.array([(r.parts==FIRST).sum() for r in rows]); l=np.array([(r.parts==LATER).sum() for r in rows])
print("total",tot.mean(),"opening",op.mean(),"rest",(tot-op).mean(),"first",f.mean(),"later",l.mean())
pickle.dump(rows,open('/work/rows.pkl','wb'))
r=rows[5]; tk=chat
import json
from tokenizers import Tokenizer
T=Tokenizer.from_file(str(base/'tokenizer.json'))
for k in (5,900): print(T.decode(list(map(int,rows[k].ids)),skip_special_tokens=False)); print("=======",len(rows[k].ids),rows[k].opening)
