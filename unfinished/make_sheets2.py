import json, random, tomllib
from pathlib import Path
R=Path('/work/und/data/courses'); rng=random.Random(20)
USED={x['id'] for x in json.load(open('/work/gen/sheets.json'))}; USEDS={(x['course'],x['student']) for x in json.load(open('/work/gen/sheets.json'))}
NEEDS=[ # weight, text
(7,"why a particular week went the way it did (name a week)"),
(4,"what you did well (a week, or overall) and why it counted"),
(4,"your weakest / strongest point or week over all weeks so far"),
(5,"what some measurement or term in your report means, in your own everyday words or as written there"),
(4,"your own value for some study behaviour in some week, perhaps beside the class (name the behaviour loosely, as students do)"),
(6,"whether changing some habit would help you (what if ...)"),
(5,"how to improve / which habit to change first"),
(7,"what one must know or review before some week or topic"),
(5,"what a week is about, or in which week something is taught"),
(7,"how the course is run: deadlines, late work, weights, exam aids, retakes, office hours, attendance, certificate, AI rules, workload ..."),
(6,"your own marks: points so far, what is missing, can you still pass, what you need in what is left"),
(6,"a concept of the course explained (pick one from the plan)"),
(5,"something to practise: exercises on a topic or week"),
(6,"how to get ready for the next week or a later one"),
(5,"a thing that needs two or three look-ups, e.g. your weakest week, then what it was about and what to practise from it; or the topics of a week and then what they rest on"),
(3,"a study plan under a constraint of time or circumstances (two hours before the quiz, only weekends, a job, ...)"),
(2,"doubt about the data or the prediction (that cannot be right, who computes this, I studied offline ...)"),
(1,"something out of scope for such an assistant (another course, homework to be done for you, chit-chat, general knowledge)"),
(1,"another student or the class's names and marks, which the assistant may not tell"),
(1,"you are discouraged, stressed or overwhelmed and say so (some slots mildly; nothing about self-harm)"),
(1,"thanks / hello / what can you do / who are you"),
]
FORMS=[(60,""),(9,"a yes/no question"),(9,"two questions in one message"),(9,"it rests on a WRONG assumption about your report, marks or the course (say it as if it were true)"),(6,"with a practical constraint in it"),(7,"with a bit of your own story or feeling around it")]
STYLES=["terse, lowercase, no punctuation","careful full sentences","chatty","typos and abbreviations of a phone keyboard","non-native speaker, simple words","a little ironic","worried","very short (2-6 words)","blunt","polite, to a professor","thinking aloud, long-winded","matter-of-fact"]
def pick(t): return rng.choices([x[1] for x in t],[x[0] for x in t])[0]
sheets=[]
for course in ("dsp","geo","va"):
    c=tomllib.loads((R/course/"course.toml").read_text()); t=tomllib.loads((R/course/"topics.toml").read_text())
    plan="\n".join(f"  week {w['number']}: {w['title']}"+(f" ({w['title_en']})" if w.get('title_en') else "")+": "+"; ".join(w["topics"]) for w in t["weeks"])
    ids=sorted({p.name.split(".")[0] for p in (R/course/"reports").glob("*.md")})[40:]
    ids=[i for i in ids if (course,i) not in USEDS]; print(course,len(ids))
    rng.shuffle(ids)
    items={}
    for g in c["grading"]: items.setdefault(g["id"].split("-")[0],[]).append(g["weight"])
    graded=", ".join(f"{k} ({sum(v):g} %)" for k,v in items.items())
    about=f"{c['title']} ({course}), {c['weeks']} weeks, weeks 1-{c['weeks_done']} are over; pass mark {c['pass_mark']} %; graded: {graded}\n{plan}"
    for i,s in enumerate(ids[:48]):
        th=("ac","con","nr")[i%3]
        lang="French" if course!="dsp" else "English"
        slots=[]
        for n in range(8):
            l=lang
            if lang=="French" and rng.random()<.3: l="English"
            if lang=="English" and rng.random()<.02: l="French"
            slots.append(dict(need=pick(NEEDS),form=pick(FORMS),style=rng.choice(STYLES),lang=l))
        k=rng.randrange(2,8)  # one follow-up
        slots[k]=dict(slots[k],need="FOLLOW-UP to your question %d (you have read its answer, which you may imagine loosely): lean on it, e.g. 'and the week after?', 'why is that', 'how do I do this in practice', 'what about the other one', 'are you sure'; keep it answerable whatever exactly was said"%k,lang=slots[k-1]["lang"])
        if k>2 and rng.random()<.5:
            j=k-1; slots[j]=dict(slots[j],need="FOLLOW-UP to your question %d, as above: it leans on that question and its answer"%j,lang=slots[j-1]["lang"]); slots[k]["lang"]=slots[j]["lang"]
        sheets.append(dict(id=f"{course}-{s}-{th}",course=course,student=s,theory=th,about=about,report=(R/course/"reports"/f"{s}.{th}.md").read_text(),slots=slots))
rng.shuffle(sheets)
for x in sheets: x['slips']=[rng.randrange(1,9)] if rng.random()<.3 else []
old=json.load(open('/work/gen/sheets.json')); json.dump(old+sheets,open('/work/gen/sheets.json','w'),ensure_ascii=False)
B=4
for b in range(B):
    mine=sheets[b::B]; out=[]
    for cid in ("dsp","geo","va"):
        some=[s for s in mine if s["course"]==cid]
        out.append(f"########## COURSE {some[0]['about']}\n")
        for s in some:
            out.append(f"=== SHEET {s['id']}\n{s['report'].strip()}\n-- questions to write")
            for n,x in enumerate(s["slots"],1):
                out.append(f"{n}. [{x['lang']}] {x['need']}{' | '+x['form'] if x['form'] and not x['need'].startswith('FOLLOW') else ''} | {x['style']}")
            out.append("")
    Path(f'/work/gen/sheets/n{b}.txt').write_text("\n".join(out)); print(b,len(mine),len("\n".join(out)))
order=sheets[:]; rng.shuffle(order)
for b in range(6): json.dump(sorted(order[b::6],key=lambda s:s['course']),open(f'/work/gen/teacher/n{b}.json','w'),ensure_ascii=False)
