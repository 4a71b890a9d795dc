"""What the authors' released pre-test attempts say, by our metrics: `python -m eval.tutoring.reproduction`.

`attempts.jsonl.gz` holds, for each of their 100 tasks and four kinds of students, what became of ten programs; it is
taken from `student_pretest.zip` of github.com/iwangjian/Coding-Tutor (Apache-2.0), the programs' texts left out.
"""
