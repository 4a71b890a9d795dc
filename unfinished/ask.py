"""ask.py GGUF|'' OUT COURSE[,COURSE] N [answer.key=value…]: fresh questions, one at a time, printed as they come."""
import sys,json,time
from dataclasses import replace
from pathlib import Path
from app.settings import load
from app import build
from app.examining import read,QUESTIONS,_history
from scribe.records import Record
from scribe import records
from scribe.outline import outline
from scribe.trajectory import Trajectory
gguf,out,courses,N=sys.argv[1:5]; N=int(N)
st=load()

if gguf.startswith('hf:'):
    from data.pretrained.conversion import open_base_folder
    st=replace(st,model=replace(st.model,backend='hf',path=str(open_base_folder()),adapter=gguf[3:]))
elif gguf: st=replace(st,model=replace(st.model,path=gguf))
st=replace(st,model=replace(st.model,threads=2,parallel=1))
for kv in sys.argv[5:]:
    k,v=kv.split('='); 
    if k in ('quiet',): continue
    st=st.changed('answer',**{k:type(getattr(st.answer,k))(float(v))})
qs=[q for q in read(QUESTIONS)]
by={}
for q in qs: by.setdefault(q.course,[]).append(q)
A={};backend=None;ended={};n=0;faults=0;t0=time.time();w=open(out,'w')
for c in courses.split(','):
    a=build.assistant(st,build.course(st,c)) if backend is None else build.assemble(st,build.course(st,c),backend)
    backend=a.backend
    for q in by[c][:N]:
        t1=time.time(); task=a.task(q.student,q.question,q.theory,_history(ended.get(q.follows)))
        t=a.agent(q.student).run(Trajectory(task)); ended[q.id]=t; n+=1; faults+=len(t.faults)
        w.write(records.to_json(Record.of(t,q.id,{}))+"\n"); w.flush()
        print(f"\n--- {q.id} [{time.time()-t1:.1f}s {t.usage.completion_tokens} tok] {'(follow-up) ' if q.follows else ''}{q.question}")
        for x in t.steps:
            if x.kind=='act': print(f"  thinks: {x.thought}\n  calls: {x.calls[0].name} {json.dumps(x.calls[0].arguments,ensure_ascii=False)}\n    "+outline(x.observations[0].content)[:900].replace('\n','\n    '))
            elif x.kind=='answer': print(f"  thinks: {x.thought}\n  ANSWER: {x.text}")
            else: print(f"  FAULT: …{x.raw[-160:]!r}  {x.complaint[:160]}")
        print("  stop:",t.stop.value,flush=True)
print(n,"in",round(time.time()-t0,1),"s; faults",faults)
