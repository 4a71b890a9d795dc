"""make_reads.py NAME PER_FILE READERS: what readers read, of all complete conversations not yet given out."""
import sys,json
sys.path.insert(0,'/work/gen')
from pathlib import Path
G=Path('/work/gen'); 
import re
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
    return Q,J,{s['id']:s for s in json.loads((G/'sheets.json').read_text())}
def prev_id(s,n):
    m=re.match(r'FOLLOW-UP to your question (\d+)',s['slots'][n-1]['need']); return f"{s['id']}/{m.group(1)}" if m else None
name,per,readers=sys.argv[1],int(sys.argv[2]),int(sys.argv[3])
Q,J,S=load()
skip=set((G/'read/given').read_text().split()) if (G/'read/given').exists() else set()
ids=[i for i,st in J.items() if 'answer' in st[-1] and i not in skip]
groups={}
for i in ids: groups.setdefault(i.rsplit('/',1)[0],[]).append(i)
sheets=sorted(groups)
import random; random.Random(7).shuffle(sheets)
for r in range(readers):
    mine=sheets[r::readers]; files=[[]]; 
    for s in mine:
        if sum(len(groups[x]) for x in files[-1])+len(groups[s])>per and files[-1]: files.append([])
        files[-1].append(s)
    for k,f in enumerate(files):
        out=[]
        for s in f:
            sh=S[s]; out.append(f"######## {s}: {sh['about'].splitlines()[0]}\n{sh['report'].strip()}\n")
            for i in sorted(groups[s]):
                n=int(i.rsplit('/',1)[1]); p=prev_id(sh,n)
                out.append(f"--- {i}"+(f"  (follows {p})" if p else "")+f"\nSTUDENT: {Q[i]}")
                for x in J[i]:
                    if 'call' in x:
                        out.append(f"thinks: {x['thought']}\ncalls: {x['call']['name']} {json.dumps(x['call']['arguments'],ensure_ascii=False)}\n"+("result: " if x['ok'] else "REFUSED: ")+x['result'])
                    else: out.append(f"thinks: {x['thought']}\nANSWER: {x['answer']}")
                out.append("")
        (G/f'read/{name}{r}.{k:02d}.txt').write_text("\n".join(out))
    print(name,r,sum(len(groups[s]) for s in mine),len(files))
with open(G/'read/given','a') as f: f.write("\n".join(ids)+"\n")
