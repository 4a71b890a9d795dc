import json,sys,random
from dataclasses import replace
from pathlib import Path
import numpy as np
from scribe.trajectory import Act,Answer,Call,Stop,Trajectory,Task,Observation
from finetune.lora.rows import Row,row,FIRST,QUOTED
from finetune.lora import store
from scribe.backends.hf import chat_tokenizer
from data.pretrained.conversion import open_base_folder
from data import bundle
from app import task as tasks
base=open_base_folder(); chat=chat_tokenizer(base)
abouts={}
out=[];why={}
for l in open('/work/more/words.jsonl'):
    d=json.loads(l)
    if d['c'] not in abouts:
        co=bundle.find(d['c']); s='s060'
        st=co.students[s]
        abouts[d['c']]=tasks.task(co,st,'x',sorted(st.reports)[0])
    t=replace(abouts[d['c']],question=d['q'],report='',language='French' if d['lang']=='fr' else 'English',history=())
    tr=replace(Trajectory(t),steps=(Act(d['t'],(Call(d['name'],d['args']),),(Observation(True,'{"a": 1}'),)),Answer('','x')),stop=Stop.ANSWERED)
    r=row(d['id'],tr,'',chat,1500)
    if not isinstance(r,Row): why[r]=why.get(r,0)+1; continue
    first=np.isin(r.parts,(FIRST,FIRST|QUOTED)); end=np.flatnonzero(first)[-1]+1
    out.append(replace(r,ids=r.ids[:end],parts=r.parts[:end]))
print(len(out),why,np.mean([len(r.ids) for r in out]))
store.write(Path('/work/more/words.parquet'),out)
from tokenizers import Tokenizer
T=Tokenizer.from_file(str(base/'tokenizer.json')); print(T.decode(list(map(int,out[3].ids)),skip_special_tokens=False))
full=list(store.read(Path('/work/short_fr.parquet'))); new=list(store.read(Path('/work/more/new.parquet'))) if Path('/work/more/new.parquet').exists() and len(sys.argv)>1 else []
rng=random.Random(3); mix=full+new+rng.sample(out,2200); rng.shuffle(mix)
store.write(Path('/work/more/mix.parquet'),mix); print(len(mix),len(new))
