"""fresh_run.py ROOT GGUF QUESTIONS SHEETS OUT [N] [threads]"""
import sys,json,time,re; root,gguf,qs,sh,out=sys.argv[1:6]; sys.path.insert(0,root)
N=int(sys.argv[6]) if len(sys.argv)>6 else 10**9; T=int(sys.argv[7]) if len(sys.argv)>7 else 2
from dataclasses import replace
from pathlib import Path
from app.settings import Settings
from app import build
from data import bundle
from scribe.records import Record
from scribe.trajectory import Exchange, Trajectory
from scribe import records
S={s['id']:s for s in json.load(open(sh))}; Q={d['id']:d['q'] for d in map(json.loads,open(qs))}
st=Settings(); st=replace(st,model=replace(st.model,path=gguf,threads=T,parallel=1))
backend=None; A={}; done={}; recs=[]; n=0
t0=time.time(); w=open(out,'w')
for sid,s in S.items():
    if n>=N: break
    if s['course'] not in A:
        c=bundle.find(s['course'])
        if backend is None: a=build.assistant(st,c); backend=a.backend
        else: a=build.assemble(st,c,backend)
        A[s['course']]=a
    a=A[s['course']]
    for k in range(1,len(s['slots'])+1):
        i=f"{sid}/{k}"
        m=re.match(r'FOLLOW-UP to your question (\d+)',s['slots'][k-1]['need']); hist=[]
        if m:
            p=done.get(f"{sid}/{m.group(1)}")
            hist=[*p.task.history,Exchange(p.task.question,p.answer)] if p and p.answer else []
        t1=time.time(); task=a.task(s['student'],Q[i],s['theory'],hist)
        t=a.agent(s['student']).run(Trajectory(task)); done[i]=t; n+=1
        w.write(records.to_json(Record.of(t,i,{}))); w.write("\n"); w.flush()
        print(f"\n--- {i} [{time.time()-t1:.1f}s] {'(follow-up) ' if hist else ''}{Q[i]}")
        for x in t.steps:
            if hasattr(x,'calls'):
                print(f"  thinks: {x.thought}\n  calls: {x.calls[0].name} {json.dumps(x.calls[0].arguments,ensure_ascii=False)}  -> {x.observations[0].content[:700]}")
            elif hasattr(x,'text'): print(f"  thinks: {x.thought}\n  ANSWER: {x.text}")
            else: print(f"  FAULT: {x.raw[:600]!r}  notice: {x.complaint[:300]}")
        print("  stop:",t.stop,flush=True)
        if n>=N: break
print(n,"in",round(time.time()-t0,1),"s")
