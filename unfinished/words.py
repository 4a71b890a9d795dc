"""The known wordings of main (tools/questions), filled: question, thought, call -> words.jsonl"""
import json,random,sys
sys.path.insert(0,'/work/main')
from data.bundle import find
from data.catalogue_languages import catalogue_in
from finetune.questions import Generator
from tools.reading.known_questions import wordings,looked_up,concerns
T={
'week_why':["What went wrong in week {week}; what counted for and against it there.","Week {week} and why it was weak: its behaviours by weight.","Asks why week {week} went that way; sort the behaviours of week {week}."],
'week_well':["What went well in week {week}; the strengths counted there.","Wants the good side of week {week}: behaviours of week {week} by weight.","Which habits helped in week {week}; look at what counted."],
'weaknesses':["Weak points over all weeks: behaviours by weight.","Wants to know what pulls them down most; all weeks by importance."],
'strengths':["Strong points over all weeks: what counted for them.","Wants their strengths; the behaviours that counted for a pass."],
'feature_meaning':["What {feature} means; its description.","Meaning of {feature}: look up how it is measured."],
'behaviour_impact':["Whether {behaviour} would help; see how much that habit matters.","Effect of {behaviour}: check its impact."],
'week_topics':["What week {week} is about: its topics.","Content of week {week}; the plan of that week."],
'prerequisites':["What week {week} builds on; earlier topics needed.","To know before week {week}: its dependencies."],
'prepare_week':["Getting ready for week {week}: what it builds on.","Preparation for week {week}; the earlier topics behind it."],
'topic_when':["When {topic} is taught; the textbook gives the week.","Which week has {topic}: search the textbook."],
'concept':["Wants {topic} explained; search the textbook.","Meaning of {topic}: the textbook has it."],
'exercises_topic':["Practice on {topic}: search exercises.","Wants exercises on {topic}."],
'grade':["Points so far and what is missing to pass: the grades.","How the marks stand; calculate the grade."],
'syllabus':["A rule of the course, {subject}: the syllabus.","Asks how the course is run ({subject}); look in the syllabus."],
}
out=[];bad=0
for n,(c,lang) in enumerate([('dsp','en'),('geo','fr'),('va','fr'),('geo','en'),('va','en')]):
    course=find(c); g=Generator(course,catalogue_in(lang),100+n,False,lang); r=g.random
    for k in T:
        for w in wordings(k,False,lang):
            if r.random()>{'dsp':.9,'geo':.5,'va':.5}[c]*(.7 if lang=='en' and c!='dsp' else 1): continue
            try:
                slots={}
                from finetune.questions.question import Question
                text=w
                if k=='syllabus': slots['subject'],text=w.split('\t',1)
                q=g._filled(Question(k,text,slots,wording=text)); s=q.slots
                if k in('week_why','week_well','week_topics','prerequisites','prepare_week') and 'week' not in s: continue
                if s.get('week',1)>course.weeks: continue
                call={'week_why':('sort_student_features_with_importance',['week']),'week_well':('sort_student_features_with_importance',['week']),'weaknesses':('sort_student_features_with_importance',[]),'strengths':('sort_student_features_with_importance',[]),'week_topics':('map_week_to_topic',['week']),'prerequisites':('get_dependant_topics',['week']),'prepare_week':('get_dependant_topics',['week']),'grade':('grade_calculator',[])}.get(k)
                if k in('week_why','week_well') and s['week']>course.weeks_done: continue
                if call: args={a:s[a] for a in call[1]}; name=call[0]
                elif k=='feature_meaning':
                    if 'feature' not in s: continue
                    name,args='get_feature_description',{'feature':s['feature']}
                elif k=='behaviour_impact':
                    if 'behaviour' not in s: continue
                    name,args='impact_of_student_behaviors',{'query':s['behaviour']}
                elif k=='syllabus':
                    name,args='get_course_syllabus',{'query':looked_up(s['subject'],lang)}
                else:
                    if 'topic' not in s: continue
                    name,args=('exercise_search' if k=='exercises_topic' else 'textbook_search'),{'query':s['topic']}
                th=r.choice(T[k]).format(**{x:y for x,y in s.items()})
                text=q.text
                if r.random()<.12: text=g.manner.stressed(text)
                if r.random()<.1: text=g.manner.situated(text)
                out.append(dict(id=f"words-{c}-{lang}-{len(out)}",c=c,lang=lang,q=text,t=th,name=name,args=args))
            except Exception as e: bad+=1; err=repr(e)
print(len(out),bad, err if bad else '')
random.Random(1).shuffle(out)
open('words.jsonl','w').write(''.join(json.dumps(o,ensure_ascii=False)+'\n' for o in out))
from collections import Counter
print(Counter(o['name'] for o in out),Counter(o['lang'] for o in out))
for o in out[:25]: print(o['c'],o['lang'],'|',o['q'],'|',o['t'],'|',o['name'],o['args'])
