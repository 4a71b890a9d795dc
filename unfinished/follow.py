import sys,json,gzip,random
sys.path.insert(0,'/work/gen')
kept={}
for l in gzip.open('set.jsonl.gz','rt'):
    d=json.loads(l); kept[d['id']]=d
S=json.load(open('sheets.json')); rng=random.Random(5)
cand=[s for s in S if len(s['slots'])==8 and any(f"{s['id']}/{n}" in kept for n in range(1,9))]
rng.shuffle(cand); cand=cand[:136]
files=[[],[]]; teach=[[],[]]
for j,s in enumerate(cand):
    ks=[n for n in range(1,9) if f"{s['id']}/{n}" in kept and not kept[f"{s['id']}/{n}"]['task']['history']]
    if not ks: continue
    k=rng.choice(ks); d=kept[f"{s['id']}/{k}"]; lang=s['slots'][k-1]['lang']
    s['slots'].append(dict(need=f"FOLLOW-UP to your question {k} (its answer was read)",form="",style="",lang=lang)); 
    files[j%2].append(f"=== {s['id']}/9 [{lang}]\n{s['report'].strip()}\nSTUDENT: {d['task']['question']}\nSCRIBE: {d['answer']}\n")
    teach[j%2].append(s)
json.dump(S,open('sheets.json','w'),ensure_ascii=False)
for b in (0,1):
    open(f'sheets/f{b}.txt','w').write("\n".join(files[b])); json.dump(teach[b],open(f'teacher/f{b}.json','w'),ensure_ascii=False); print(len(files[b]))
