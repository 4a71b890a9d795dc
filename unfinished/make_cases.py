import sys,json,random
sys.path.insert(0,'/work/und')
import torch; torch.set_num_threads(1)
from data import bundle
from pathlib import Path
from scribe.trajectory import Call
from tools.build import toolbox
from tools.search.vault import Vault
from tools.embedder import embedder
rng=random.Random(1910); v=Vault(embedder("minilm","")); G=Path('/work/gen/claims')
R=Path('/work/und/data/courses'); cases=[]
Q={"English":["late homework","exam aids","passing mark","retake exam","office hours","AI tools"],"French":["travail en retard","aides à l'examen","note pour réussir","rattrapage","permanence","intelligence artificielle"]}
F={"English":["total time","videos on time","quiz score","weekend share","session length","clicks"],"French":["temps total","vidéos ouvertes à temps","score aux quiz","part du week-end","durée des séances","clics"]}
for course,n in (("dsp",16),("geo",16),("va",16),("lnv",16)):
    c=bundle.find(course); files=sorted(R.joinpath(course,"reports").glob("*.md")); files=files[:40] if course!="lnv" else files
    rng.shuffle(files)
    for k,p in enumerate(files[:n]):
        sid,th=p.name.split(".")[:2]; lang="English" if c.language=="English" or c.language=="en" or course=="dsp" else ("French" if k%2 else "English")
        tb=toolbox(c,sid,v); w=rng.randrange(1,c.weeks_done+1); nxt=min(c.weeks,c.weeks_done+rng.randrange(1,3))
        calls=[Call("sort_student_features_with_importance",{"week":w}),Call("grade_calculator",{}),Call("map_week_to_topic",{"week":nxt}),Call("get_dependant_topics",{"week":nxt}),Call("get_course_syllabus",{"query":rng.choice(Q[lang])}),Call("get_feature_description",{"feature":rng.choice(F[lang])}),Call("impact_of_student_behaviors",{"query":rng.choice(F[lang])})]
        keep=[calls[0]]+rng.sample(calls[1:],3)
        obs=[]
        for call in keep:
            o=tb.call(call,lang)
            if o.ok: obs.append({"name":call.name,"arguments":dict(call.arguments),"result":o.content})
        cases.append(dict(id=f"{course}-{sid}-{th}",course=course,student=sid,theory=th,language=lang,calls=obs,report=p.read_text(),about=f"{c.title}: {c.weeks} weeks, {c.weeks_done} over"))
rng.shuffle(cases)
json.dump(cases,open(G/'cases.json','w'),ensure_ascii=False)
for b in range(4):
    out=[]
    for x in cases[b::4]:
        out.append(f"######## CASE {x['id']}  ({x['about']})  write in {x['language']}\n{x['report'].strip()}\n")
        for o in x['calls']: out.append(f"result of {o['name']} {json.dumps(o['arguments'],ensure_ascii=False)}: {o['result']}")
        out.append("")
    (G/f'cases_{b}.txt').write_text("\n".join(out)); print(b,len(cases[b::4]),len("\n".join(out)))
