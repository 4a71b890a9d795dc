"""How a question is answered well, step by step: a teacher drives the real agent over the real tools.

The teacher is the scripted expert, which knows what each kind of question needs, or a model behind an address. Here is
no question made (`finetune.questions`), no trajectory judged or dropped (`finetune.filtering`), no token counted.
"""
