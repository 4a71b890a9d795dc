"""journals -> records (JSONL of scribe.records)"""
import json,sys,glob
from pathlib import Path
sys.path.insert(0,'/work/gen'); sys.path.insert(0,'/work/snap')
from data import bundle
from tools import task
from scribe import records
from scribe.records import Record
from scribe.trajectory import *
import re
G=Path('/work/gen')
def load():
    Q={}
    for p in sorted((G/'questions').glob('*.jsonl')):
        for l in p.read_text().splitlines():
            d=json.loads(l); Q[d['id']]=d['q']
    J={}
    for p in sorted((G/'journal').glob('*.jsonl')):
        for l in p.read_text().splitlines():
            try: d=json.loads(l)
            except Exception: continue
            J.setdefault(d['id'],[]).append(d)
    S={s['id']:s for s in json.loads((G/'sheets.json').read_text())}
    return Q,J,S
def prev_id(sheet,n):
    m=re.match(r'FOLLOW-UP to your question (\d+)',sheet['slots'][n-1]['need']); return f"{sheet['id']}/{m.group(1)}" if m else None
def chain(sheet,n):
    out=[]; p=prev_id(sheet,n)
    while p: out.append(p); p=prev_id(sheet,int(p.split('/')[1]))
    return out[::-1]
def build(partial=False):
    Q,J,S=load(); C={c:bundle.find(c) for c in ("dsp","geo","va")}
    out=[]
    for i,st in J.items():
        done='answer' in st[-1]
        if not done and not partial: continue
        sid,n=i.rsplit('/',1); s=S[sid]
        hist=[]; ok=True
        for c in chain(s,int(n)):
            if c in J and 'answer' in J[c][-1]: hist.append(Exchange(Q[c],J[c][-1]['answer']))
            else: ok=False
        if not ok: continue
        t=task.make(C[s['course']],s['student'],Q[i],s['theory'],hist)
        steps=[]
        for x in st:
            if 'call' in x: steps.append(Act(x['thought'],(Call(x['call']['name'],x['call']['arguments']),),(Observation(x['ok'],x['result']),)))
            else: steps.append(Answer(x['thought'],x['answer']))
        tr=Trajectory(t,tuple(steps),Stop.ANSWERED if done else None)
        out.append((i,tr,{"need":s['slots'][int(n)-1]['need'][:60],"slip":any(x.get('slip') for x in st)}))
    return out
if __name__=="__main__":
    r=build(); print(len(r))
