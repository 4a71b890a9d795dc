"""compact lines -> teach give.  @sheet / n|thought|tool|args   n|thought|a|answer ; tool short names"""
import sys,json,subprocess
T={"map":"map_week_to_topic","dep":"get_dependant_topics","syl":"get_course_syllabus","book":"textbook_search","ex":"exercise_search","grade":"grade_calculator","sort":"sort_student_features_with_importance","feat":"get_feature_description","imp":"impact_of_student_behaviors"}
K={"map":"week","dep":"week","syl":"query","book":"query","ex":"query","sort":"week","feat":"feature","imp":"query"}
b=sys.argv[1]; n=sys.argv[2]; sheet=None; out=[]
for l in sys.stdin.read().splitlines():
    l=l.strip()
    if not l: continue
    if l.startswith('@'): sheet=l[1:].strip(); continue
    p=l.split('|',3); i=f"{sheet}/{p[0]}"
    if p[2]=='a': out.append({"id":i,"t":p[1],"a":p[3]})
    else:
        slip=p[2].startswith('!'); name=p[2].lstrip('!'); a=p[3] if len(p)>3 else ''
        if a.startswith('{'): args=json.loads(a)
        elif not a: args={}
        elif name=='ex' and '@' in a: q,w=a.rsplit('@',1); args={"query":q.strip(),"week":int(w)}
        else: args={K[name]: int(a) if K[name]=='week' else a}
        d={"id":i,"t":p[1],"c":[T.get(name,name),args]}
        if slip: d["slip"]=True
        out.append(d)
r=subprocess.run(["/work/main/.venv/bin/python","/work/gen/teach.py","give",b,n],input="\n".join(json.dumps(x,ensure_ascii=False) for x in out),text=True,capture_output=True)
print(r.stdout,r.stderr[-1500:])
