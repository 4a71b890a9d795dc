"""The coding tutor: what it knows of a task, a tutoring dialogue, and the tutors that say its next turn.

Not here: tracing and verifying (`scribe.verify`), tasks (`data.tasks`), simulated students and the protocol that
measures tutors (`eval.tutoring`).
"""
