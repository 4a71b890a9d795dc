"""fit.py ADAPTER…: how often the first call is an acceptable tool, on questions that nobody trains on; no answers are written."""
import sys,time
from pathlib import Path
from dataclasses import replace
from app.settings import load
from app import build
from eval.asking import read
from scribe.trajectory import Act,Trajectory
from data.pretrained.shipped import open_shipped_gguf
from unfinished.shape import shipped_form
qs=read(Path('eval/student_questions.jsonl'))
dev=[]
for a in sys.argv[1:]:
    t0=time.time(); st=load(); st=replace(st,model=replace(st.model,path=str(open_shipped_gguf(shipped_form(Path(a)))),prompt='learned',parallel=1,threads=2))
    backend=None; A={}; fit={'student':[],'dev':[]}; lang={'French':[],'English':[]}; wrong={}
    for kind,some in (('student',qs),('dev',dev)):
        for q in some:
            if q.course not in A:
                A[q.course]=build.assistant(st,build.course(st,q.course)) if backend is None else build.assemble(st,build.course(st,q.course),backend)
                backend=A[q.course].backend
            s=A[q.course]; t=Trajectory(s.task(q.student,q.question,q.theory,q.history))
            g=s.agent(q.student)
            for _ in range(4):
                t=g.step(t)
                if t.stop or t.acts: break
            tool=t.acts[0].calls[0].name if t.acts else ''
            ok=tool in q.tools; fit[kind].append(ok); lang[t.task.language if t.task.language in lang else 'English'].append(ok)
            if not ok: wrong[(tool,q.tools)]=wrong.get((tool,q.tools),0)+1
    print(a,{k:f"{sum(v)}/{len(v)}" for k,v in (fit|lang).items()},round(time.time()-t0),'s'); print('   ',sorted(wrong.items(),key=lambda x:-x[1])[:8],flush=True)
    backend.close()
