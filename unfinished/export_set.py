import sys,gzip,json
sys.path.insert(0,'/work/gen'); sys.path.insert(0,'/work/snap')
import convert
from finetune.conversations.dataset import write_dataset, SHIPPED
from finetune.conversations.question import Question
from scribe.records import Record
from dataclasses import asdict
from collections import Counter
from pathlib import Path
data=convert.build(); recs=[]; drop=Counter()
DROP={'geo-s287-con/9','va-s046-con/4','geo-s300-ac/5','geo-s267-con/7','va-s299-con/2','va-s299-con/5','dsp-s186-nr/8','va-s096-con/8','geo-s047-nr/4','va-s125-ac/8','dsp-s041-ac/2','va-s232-nr/8','dsp-s199-nr/3','dsp-s228-con/3','dsp-s228-con/8','geo-s235-ac/8','geo-s062-con/4','geo-s062-con/3','va-s138-nr/7','va-s043-ac/8','geo-s167-ac/3','dsp-s250-ac/3','dsp-s238-ac/7','va-s057-nr/2','dsp-s158-con/2','dsp-s189-ac/4','geo-s073-con/7','geo-s064-nr/3','dsp-s102-nr/8','dsp-s163-ac/4','dsp-s163-ac/5','dsp-s226-nr/2','dsp-s226-nr/3','dsp-s226-nr/4','geo-s073-con/5','geo-s064-nr/2','geo-s159-nr/1','geo-s159-nr/8','geo-s266-ac/8','va-s300-nr/3','va-s145-ac/8','va-s133-ac/3','va-s133-ac/6','va-s277-nr/5','dsp-s052-con/2','geo-s214-con/5','geo-s191-ac/1','va-s169-ac/6','va-s156-ac/1','va-s208-con/1','dsp-s136-ac/7','va-s252-nr/8','va-s171-con/7','va-s240-con/3','va-s055-nr/2','va-s153-con/8','geo-s043-con/8','va-s265-con/6','va-s285-con/2','va-s106-con/2','dsp-s111-nr/2','geo-s295-nr/6','va-s196-ac/5','geo-s129-ac/6','geo-s161-ac/8','va-s193-ac/3','va-s198-con/8','geo-s263-nr/3','va-s045-ac/5','va-s148-ac/1','va-s068-ac/6','geo-s144-con/2','dsp-s220-con/6','geo-s075-ac/6','geo-s075-ac/7','geo-s191-ac/6','dsp-s288-ac/4','geo-s108-con/4','dsp-s214-con/5','geo-s165-nr/7','va-s222-con/7','va-s298-ac/4','dsp-s155-nr/6','dsp-s185-con/6','geo-s227-nr/5','va-s073-con/7','dsp-s052-con/2','dsp-s287-ac/3','geo-s285-ac/1','dsp-s217-nr/5','geo-s179-ac/6','va-s131-nr/4','geo-s106-con/5','va-s064-nr/2','va-s064-nr/3','geo-s220-ac/7','dsp-s065-con/7','dsp-s173-con/6','dsp-s244-nr/7','geo-s050-ac/4','geo-s252-nr/1','dsp-s244-nr/8','dsp-s255-ac/7','geo-s210-ac/8','geo-s151-con/2','va-s139-ac/4','geo-s151-con/8','geo-s243-nr/6','dsp-s127-nr/8','dsp-s154-ac/2','dsp-s154-ac/4','dsp-s261-nr/2','va-s084-con/5','va-s227-con/2','geo-s231-con/4','va-s275-ac/8','geo-s094-nr/1','geo-s094-nr/3','geo-s173-nr/3','dsp-s168-ac/2','dsp-s207-ac/5','geo-s290-ac/8','va-s226-ac/4','va-s199-nr/3','va-s168-nr/8','dsp-s265-nr/7','dsp-s278-con/6','dsp-s043-con/4','geo-s201-con/2','geo-s234-ac/8','dsp-s116-con/1','geo-s051-con/6'}
B1={json.loads(l)['id'] for l in open('/work/und/unfinished/batch-1-until-0243.jsonl')}
MARK={}
for p in sorted(Path('/work/gen/marks').glob('[a-z]*.txt')):
    for l in p.read_text().splitlines():
        w=l.split(None,3)
        if len(w)>=2 and set(w[1])<={'Y','N'} and len(w[1])==5:
            yes=w[1]; why=w[3] if len(w)>3 else ''
            if yes=='YYYYN' and 'bracket' in why: yes='YYYYY'
            MARK[w[0]]=(yes,w[2] if len(w)>2 else '',why)
UNREAD='unread' in sys.argv
for i,t,info in data:
    if i in MARK:
        if MARK[i][0]!='YYYYY': drop['a reader said no']+=1; continue
    elif not UNREAD: drop['not read yet']+=1; continue
    if i in B1 and i not in MARK: drop['written without the report']+=1; continue
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
OUT=Path('/work/gen/set.jsonl.gz'); write_dataset(OUT,recs)
Q,J,S=convert.load(); rows=[]
for i in sorted(Q,key=lambda x:(x.rsplit('/',1)[0],int(x.rsplit('/',1)[1]))):
    sid,n=i.rsplit('/',1)
    if sid not in S: continue
    s=S[sid]; p=convert.prev_id(s,int(n)); rows.append(Question(i,s['course'],s['student'],s['theory'],Q[i],p or "",int(n) in (s.get('slips') or [])))
ids=set(); ok=[]
for r in rows:
    if r.follows and r.follows not in ids: continue
    ids.add(r.id); ok.append(r)
out=Path('/work/gen/questions.jsonl.gz')
with open(out,'wb') as raw, gzip.GzipFile('', 'wb', 9, raw, mtime=0) as f:
    for r in ok: f.write(json.dumps(asdict(r),ensure_ascii=False).encode()+b"\n")
c=Counter(r.task.course for r in recs); l=Counter(r.task.language for r in recs); k=Counter(len(r.trajectory.acts) for r in recs)
print(len(recs),drop,c,l,k,"follow",sum(bool(r.task.history) for r in recs),"slip",sum(r.model['slip']=='1' for r in recs),"questions",len(ok), OUT.stat().st_size, out.stat().st_size)
t=Counter(c.name for r in recs for a in r.trajectory.acts for c,o in zip(a.calls,a.observations) if o.ok); print(t)
import statistics as st; print("words",st.mean(len(r.answer.split()) for r in recs), "students", len({(r.task.course,r.task.student) for r in recs}))
import re
rows=[]
for name,sel in (("dsp",lambda r:r.task.course=="dsp"),("geo",lambda r:r.task.course=="geo"),("va",lambda r:r.task.course=="va"),("all",lambda r:True)):
    x=[r for r in recs if sel(r)]
    rows.append(f"| {name} | {len(x):,} | {sum(r.task.language=='French' for r in x):,} | {sum(bool(r.task.history) for r in x):,} | {sum(any(not o.ok for a in r.trajectory.acts for o in a.observations) for r in x):,} |")
raise SystemExit
s=re.sub(r'(\|---\|---\|---\|---\|---\|\n)(?:COUNTS\n|(?:\|.*\n)+)',lambda m:m.group(1)+"\n".join(rows)+"\n",s); p.write_text(s)
