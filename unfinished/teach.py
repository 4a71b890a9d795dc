"""Rounds by hand.  teach.py next B [sheets]   |   teach.py give B < lines   |  teach.py state B"""
import json, sys, re, fcntl, os
from pathlib import Path
sys.path.insert(0,'/work/gen/snap')
G=Path('/work/gen')
def load_sheets(b):
    return json.loads((G/f'teacher/{b}.json').read_text())
def questions():
    q={}
    for p in sorted((G/'questions').glob('*.jsonl')):
        for l in p.read_text().splitlines():
            try: d=json.loads(l); q[d['id']]=d['q']
            except Exception: pass
    return q
def journal(b):
    p=G/f'journal/{b}.jsonl'; steps={}
    if p.exists():
        for l in p.read_text().splitlines():
            d=json.loads(l); steps.setdefault(d['id'],[]).append(d)
    return steps
def prev_id(sheet,n):
    s=sheet['slots'][n-1]
    m=re.match(r'FOLLOW-UP to your question (\d+)',s['need']); return f"{sheet['id']}/{m.group(1)}" if m else None
def chain(sheet,n):
    out=[]; p=prev_id(sheet,n)
    while p:
        out.append(p); p=prev_id(sheet,int(p.split('/')[1]))
    return out[::-1]
def answered(st): return st and 'answer' in st[-1]
def main():
    cmd,b=sys.argv[1],sys.argv[2]
    sheets=load_sheets(b); Q=questions(); J=journal(b)
    if cmd=='state':
        tot=sum(1 for s in sheets for n in range(1,9) if f"{s['id']}/{n}" in Q); done=sum(answered(v) for v in J.values()); print(f"answered {done} of {tot}"); return
    if cmd=='give':
        give(b,sheets,Q,J); J=journal(b); cmd='next'
    N=int(sys.argv[3]) if len(sys.argv)>3 else 10
    # current chunk: first N sheets having open items
    shown=set((G/f'journal/{b}.shown').read_text().split()) if (G/f'journal/{b}.shown').exists() else set()
    open_=[]
    for s in sheets:
        if len(open_)>=N: break
        if any(f"{s['id']}/{n}" in Q and not answered(J.get(f"{s['id']}/{n}")) for n in range(1,9)): open_.append(s)
    if not open_: print("ALL DONE"); return
    out=[]; new=[]
    for s in open_:
        lines=[]
        for n in range(1,9):
            i=f"{s['id']}/{n}"
            if i not in Q or answered(J.get(i)): continue
            ch=chain(s,n)
            if any(c not in Q for c in ch): ch=[]
            if not all(answered(J.get(c)) for c in ch): continue
            st=J.get(i,[])
            x=s['slots'][n-1]
            head=f"[{i}] {Q[i]!r}"+(f"   (earlier: {' > '.join(c.split('/')[1] for c in ch)})" if ch else "")
            if s.get('slips') and n in s['slips'] and not st: head+="   (SLIP)"
            if st and st[-1].get('seen'): head=f"[{i}]"
            lines.append(head)
            if st: lines.append(f"    -> {st[-1].get('result','')}")
        if lines:
            out.append(f"=== {s['id']}  ({s['about'].splitlines()[0]})" if s['id'] not in shown else f"=== {s['id']}")
            if s['id'] not in shown: out.append(s['report'].strip()); new.append(s['id'])
            out+=lines
    (G/f'journal/{b}.shown').write_text("\n".join(shown|set(new)))
    print("\n".join(out))
def give(b,sheets,Q,J):
    from scribe.trajectory import Call
    from tools.build import toolbox
    from tools.search.vault import Vault
    from tools.embedder import embedder
    from tools.language import detect_language
    from tools.task import LANGUAGES
    from data import bundle
    vault=Vault(embedder("minilm","")); courses={}; by={s['id']:s for s in sheets}
    bad=[]; good=0
    with open(G/f'journal/{b}.jsonl','a') as f:
        for l in sys.stdin.read().splitlines():
            l=l.strip()
            if not l: continue
            try: d=json.loads(l)
            except Exception as e: bad.append(f"not JSON ({e}): {l[:120]}"); continue
            i=d.get('id'); 
            if i not in Q or i.rsplit('/',1)[0] not in by: bad.append(f"unknown id {i}"); continue
            st=J.get(i,[])
            if answered(st): bad.append(f"{i} is already answered"); continue
            if len(st)>=6: bad.append(f"{i} too many steps")
            th=" ".join(str(d.get('t','')).split())
            if not 3<=len(th.split())<=40: bad.append(f"{i}: thought has {len(th.split())} words"); continue
            if 'a' in d:
                a=str(d['a']).strip()
                if re.search(r'[\[\]{}*#]|_[a-z]+_',a): bad.append(f"{i}: no markdown, brackets or tool names in the answer"); continue
                if len(a.split())>130: bad.append(f"{i}: answer has {len(a.split())} words"); continue
                if len(a.split())<8: bad.append(f"{i}: answer too short"); continue
                f.write(json.dumps({"id":i,"thought":th,"answer":a},ensure_ascii=False)+"\n"); J.setdefault(i,[]).append({"answer":a}); good+=1
            elif 'c' in d:
                c=d['c']; 
                if not isinstance(c,list) or not c or not isinstance(c[0],str): bad.append(f"{i}: c must be [name, {{arguments}}]"); continue
                name=c[0]; args=c[1] if len(c)>1 else {}
                s=by[i.rsplit('/',1)[0]]
                course=courses.setdefault(s['course'],None) or bundle.find(s['course']); courses[s['course']]=course
                n=int(i.rsplit('/',1)[1]); hist=[Q[x] for x in chain(s,n) if x in Q]
                lang=LANGUAGES[detect_language(Q[i],course.language,hist)]
                o=toolbox(course,s['student'],vault).call(Call(name,args),lang)
                rec={"id":i,"thought":th,"call":{"name":name,"arguments":args},"ok":o.ok,"result":o.content}
                if d.get('slip'): rec['slip']=True
                f.write(json.dumps(rec,ensure_ascii=False)+"\n"); J.setdefault(i,[]).append(rec); good+=1
            else: bad.append(f"{i}: neither c nor a")
    print(f"taken {good}"+(f"; REFUSED {len(bad)} (give them again):\n  "+"\n  ".join(bad) if bad else ""))
main()
