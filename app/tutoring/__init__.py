"""A person's tutoring session: task, code, tests in the sandbox, dialogue; at a terminal, and on a page (`page/`).

Not here: tutors (`scribe.tutor`), tasks (`data.tasks`), the command line (`app.commands.tutoring`).
"""
