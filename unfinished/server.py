"""Rounds by hand, served: the tools are loaded once. POST /next/B/N and /give/B/N."""
import json, re, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
sys.path.insert(0,'/work/gen/snap')
import torch; torch.set_num_threads(1)
from scribe.trajectory import Call
from tools.build import toolbox
from tools.search.vault import Vault
from tools.embedder import embedder
from tools.language import detect_language
from tools.task import LANGUAGES
from data import bundle
G=Path('/work/gen'); LOCK=threading.Lock()
VAULT=Vault(embedder("minilm","")); COURSES={c:bundle.find(c) for c in ("dsp","geo","va")}
def questions():
    q={}
    for p in sorted((G/'questions').glob('*.jsonl')):
        for l in p.read_text().splitlines():
            try: d=json.loads(l); q[d['id']]=d['q']
            except Exception: pass
    return q
Q=questions(); J={}
for p in sorted((G/'journal').glob('*.jsonl')):
    for l in p.read_text().splitlines():
        try: d=json.loads(l)
        except Exception: continue
        J.setdefault(d['id'],[]).append(d)
SHEETS={}
def sheets(b):
    if b not in SHEETS: SHEETS[b]=json.loads((G/f'teacher/{b}.json').read_text())
    return SHEETS[b]
def prev_id(s,n):
    m=re.match(r'FOLLOW-UP to your question (\d+)',s['slots'][n-1]['need']); return f"{s['id']}/{m.group(1)}" if m else None
def chain(s,n):
    out=[]; p=prev_id(s,n)
    while p: out.append(p); p=prev_id(s,int(p.split('/')[1]))
    return out[::-1]
def answered(st): return bool(st) and 'answer' in st[-1]
def state(b):
    ids=[f"{s['id']}/{n}" for s in sheets(b) for n in range(1,len(s['slots'])+1) if f"{s['id']}/{n}" in Q]
    return f"answered {sum(answered(J.get(i)) for i in ids)} of {len(ids)}"
def nxt(b,N):
    sp=G/f'journal/{b}.shown'; shown=set(sp.read_text().split()) if sp.exists() else set()
    open_=[]
    for s in sheets(b):
        if len(open_)>=N: break
        if any(f"{s['id']}/{n}" in Q and not answered(J.get(f"{s['id']}/{n}")) for n in range(1,len(s['slots'])+1)): open_.append(s)
    if not open_: return "ALL DONE"
    out=[]; new=[]
    for s in open_:
        lines=[]
        for n in range(1,len(s['slots'])+1):
            i=f"{s['id']}/{n}"
            if i not in Q or answered(J.get(i)): continue
            ch=chain(s,n)
            if any(c not in Q for c in ch): ch=[]
            if not all(answered(J.get(c)) for c in ch): continue
            st=J.get(i,[])
            head=f"[{i}] {Q[i]!r}"+(f"   (earlier: {' > '.join(c.split('/')[1] for c in ch)})" if ch else "")
            if s.get('slips') and n in s['slips'] and not st: head+="   (SLIP)"
            lines.append(head)
            if ch and not st: lines+= [f"    earlier answer: {J[ch[-1]][-1]['answer']}"]
            for x in st[-1:]: lines.append(f"    -> {x.get('result','')}")
        if lines:
            out.append(f"=== {s['id']}  ({s['about'].splitlines()[0]})" if s['id'] not in shown else f"=== {s['id']}")
            if s['id'] not in shown: out.append(s['report'].strip()); new.append(s['id'])
            out+=lines
    sp.write_text("\n".join(sorted(shown|set(new))))
    return "\n".join(out)
def give(b,text):
    by={s['id']:s for s in sheets(b)}; bad=[]; good=0
    with open(G/f'journal/{b}.jsonl','a') as f:
        for l in text.splitlines():
            l=l.strip()
            if not l: continue
            try: d=json.loads(l)
            except Exception as e: bad.append(f"not JSON ({e}): {l[:120]}"); continue
            i=d.get('id')
            if i not in Q or i.rsplit('/',1)[0] not in by: bad.append(f"unknown id {i}"); continue
            st=J.get(i,[])
            if answered(st): bad.append(f"{i} is already answered"); continue
            if len(st)>=6 and 'a' not in d: bad.append(f"{i} too many steps, answer now"); continue
            th=" ".join(str(d.get('t','')).split())
            if not 3<=len(th.split())<=40: bad.append(f"{i}: thought has {len(th.split())} words"); continue
            if 'a' in d:
                a=str(d['a']).strip()
                if re.search(r'[\[\]{}*#]|_[a-z]+_',a): bad.append(f"{i}: no markdown, brackets or tool names in the answer"); continue
                if len(a.split())>130: bad.append(f"{i}: answer has {len(a.split())} words"); continue
                if len(a.split())<8: bad.append(f"{i}: answer too short"); continue
                rec={"id":i,"thought":th,"answer":a}
            elif 'c' in d:
                c=d['c']
                if not isinstance(c,list) or not c or not isinstance(c[0],str): bad.append(f"{i}: c must be [name, {{arguments}}]"); continue
                name=c[0]; args=c[1] if len(c)>1 else {}
                if not isinstance(args,dict): bad.append(f"{i}: arguments must be an object"); continue
                s=by[i.rsplit('/',1)[0]]; course=COURSES[s['course']]
                n=int(i.rsplit('/',1)[1]); hist=[Q[x] for x in chain(s,n) if x in Q]
                lang=LANGUAGES[detect_language(Q[i],course.language,hist)]
                o=toolbox(course,s['student'],VAULT).call(Call(name,args),lang)
                rec={"id":i,"thought":th,"call":{"name":name,"arguments":args},"ok":o.ok,"result":o.content}
                if d.get('slip'): rec['slip']=True
            else: bad.append(f"{i}: neither c nor a"); continue
            f.write(json.dumps(rec,ensure_ascii=False)+"\n"); J.setdefault(i,[]).append(rec); good+=1
    return f"taken {good} ({state(b)})"+(f"; REFUSED {len(bad)} (give them again):\n  "+"\n  ".join(bad) if bad else "")
class H(BaseHTTPRequestHandler):
    def do_POST(self):
        _,cmd,b,n=self.path.split('/'); body=self.rfile.read(int(self.headers.get('Content-Length',0))).decode()
        with LOCK:
            try: out=state(b) if cmd=='state' else (give(b,body)+"\n"+nxt(b,int(n)) if cmd=='give' else nxt(b,int(n)))
            except Exception as e: out=f"ERROR {e!r}"
        out=out.encode(); self.send_response(200); self.send_header('Content-Length',str(len(out))); self.end_headers(); self.wfile.write(out)
    def log_message(self,*a): pass
print("ready",len(Q),len(J),flush=True)
ThreadingHTTPServer(('127.0.0.1',8099),H).serve_forever()
