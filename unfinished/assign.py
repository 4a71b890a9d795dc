import json,random
sheets=json.load(open('/work/gen/sheets.json')); rng=random.Random(5)
for s in sheets: s['slips']=[rng.randrange(1,9)] if rng.random()<.3 else []
B=8
# each teacher gets sheets of all writers
order=sheets[:]; rng.shuffle(order)
for b in range(B): json.dump(sorted(order[b::B],key=lambda s:s['course']),open(f'/work/gen/teacher/{b}.json','w'),ensure_ascii=False)
