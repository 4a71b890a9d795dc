import sys,gzip,json
sys.path.insert(0,'/work/gen'); sys.path.insert(0,'/work/main')
import convert
from finetune.conversations.dataset import write_dataset, SHIPPED
from finetune.conversations.question import Question
from scribe.records import Record
from dataclasses import asdict
from collections import Counter
from pathlib import Path
data=convert.build(); recs=[]; drop=Counter()
DROP={'dsp-s217-nr/5','geo-s179-ac/6','va-s131-nr/4','geo-s106-con/5','va-s064-nr/2','va-s064-nr/3','geo-s220-ac/7','dsp-s065-con/7','dsp-s173-con/6','dsp-s244-nr/7','geo-s050-ac/4','geo-s252-nr/1','dsp-s244-nr/8','dsp-s255-ac/7','geo-s210-ac/8','geo-s151-con/2','va-s139-ac/4','geo-s151-con/8','geo-s243-nr/6','dsp-s127-nr/8','dsp-s154-ac/2','dsp-s154-ac/4','dsp-s261-nr/2','va-s084-con/5','va-s227-con/2','geo-s231-con/4','va-s275-ac/8','geo-s094-nr/1','geo-s094-nr/3','geo-s173-nr/3','dsp-s168-ac/2','dsp-s207-ac/5','geo-s290-ac/8','va-s226-ac/4','va-s199-nr/3','va-s168-nr/8','dsp-s265-nr/7','dsp-s278-con/6','dsp-s043-con/4','geo-s201-con/2','geo-s234-ac/8','dsp-s116-con/1','geo-s051-con/6'}
B1={json.loads(l)['id'] for l in open('/tmp/snap243/journal/1.jsonl')}
for i,t,info in data:
    if i in B1: drop['written without the report']+=1; continue
    if i in DROP: drop['its writer found it wrong']+=1; continue
    bad=[a for a in t.acts for o in a.observations if not o.ok]
    if len(bad)>2: drop['refused more than twice']+=1; continue
    if any(w in (t.answer or '') for w in ('JSON','_student','[')): drop['form']+=1; continue
    if not 8<=len((t.answer or '').split())<=130: drop['length']+=1; continue
    recs.append(Record.of(t,i,{"backend":"recorded","name":"large language model","slip":str(int(info['slip']))}))
gone={i for i,_,_ in data}-{r.id for r in recs}
Q0,J0,S0=convert.load(); n0=len(recs)
recs=[r for r in recs if not set(convert.chain(S0[r.id.rsplit('/',1)[0]],int(r.id.rsplit('/',1)[1])))&gone]
drop['follows one of these']=n0-len(recs)
recs.sort(key=lambda r:r.id)
write_dataset(SHIPPED,recs)
Q,J,S=convert.load(); rows=[]
for i in sorted(Q,key=lambda x:(x.rsplit('/',1)[0],int(x.rsplit('/',1)[1]))):
    sid,n=i.rsplit('/',1)
    if sid not in S: continue
    s=S[sid]; p=convert.prev_id(s,int(n)); rows.append(Question(i,s['course'],s['student'],s['theory'],Q[i],p or "",int(n) in (s.get('slips') or [])))
ids=set(); ok=[]
for r in rows:
    if r.follows and r.follows not in ids: continue
    ids.add(r.id); ok.append(r)
out=SHIPPED.with_name('questions.jsonl.gz')
with open(out,'wb') as raw, gzip.GzipFile('', 'wb', 9, raw, mtime=0) as f:
    for r in ok: f.write(json.dumps(asdict(r),ensure_ascii=False).encode()+b"\n")
c=Counter(r.task.course for r in recs); l=Counter(r.task.language for r in recs); k=Counter(len(r.trajectory.acts) for r in recs)
print(len(recs),drop,c,l,k,"follow",sum(bool(r.task.history) for r in recs),"slip",sum(r.model['slip']=='1' for r in recs),"questions",len(ok), SHIPPED.stat().st_size, out.stat().st_size)
t=Counter(c.name for r in recs for a in r.trajectory.acts for c,o in zip(a.calls,a.observations) if o.ok); print(t)
import statistics as st; print("words",st.mean(len(r.answer.split()) for r in recs), "students", len({(r.task.course,r.task.student) for r in recs}))
import re
rows=[]
for name,sel in (("dsp",lambda r:r.task.course=="dsp"),("geo",lambda r:r.task.course=="geo"),("va",lambda r:r.task.course=="va"),("all",lambda r:True)):
    x=[r for r in recs if sel(r)]
    rows.append(f"| {name} | {len(x):,} | {sum(r.task.language=='French' for r in x):,} | {sum(bool(r.task.history) for r in x):,} | {sum(any(not o.ok for a in r.trajectory.acts for o in a.observations) for r in x):,} |")
p=SHIPPED.with_name('README.md'); s=p.read_text()
s=re.sub(r'(\|---\|---\|---\|---\|---\|\n)(?:COUNTS\n|(?:\|.*\n)+)',lambda m:m.group(1)+"\n".join(rows)+"\n",s); p.write_text(s)
