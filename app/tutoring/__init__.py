"""A person's tutoring session: task, file, tests in the sandbox, dialogue, and how a terminal shows it.

Not here: tutors (`scribe.tutor`), tasks (`data.tasks`), the command line (`app.commands.tutoring`).
"""
