import gzip,json
from pathlib import Path
from dataclasses import replace
import numpy as np
from data.pretrained.conversion import open_base_folder
from finetune.conversations.dataset import read_dataset
from finetune.lora.rows import Row,row
from finetune.lora import store
from scribe.backends.hf import chat_tokenizer
base=open_base_folder(); chat=chat_tokenizer(base)
plain={d["id"]:d["answer"] for d in map(json.loads,gzip.open('finetune/conversations/plain.jsonl.gz','rt'))}
out=[];drop=0
for q in read_dataset():
    t=q.trajectory
    t=replace(t,steps=(*t.steps[:-1],replace(t.steps[-1],text=plain[q.id])))
    r=row(q.id,t,'',chat,1500)
    if isinstance(r,Row): out.append(r)
    else: drop+=1
L=np.array([len(r.ids) for r in out]); print(len(out),drop,L.mean(),np.percentile(L,[50,95,100]),np.mean([(r.parts>0).sum() for r in out]),flush=True)
store.write(Path('/work/short.parquet'),out)
from tokenizers import Tokenizer
T=Tokenizer.from_file(str(base/'tokenizer.json'))
print(T.decode(list(map(int,out[7].ids)),skip_special_tokens=False))
