"""The coding tutor as a page: tasks to choose from, and for each one its code, tests and dialogue.

It lies under `/tutor/` beside a chat (`app.campus`, `scribe chat --demo`) or alone (`scribe tutor --page`).
"""
