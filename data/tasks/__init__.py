"""Programming tasks for the tutor: their format, reading, checking, and the tasks themselves.

A task is a folder beside this file (see README.md): a small package with one function missing, the reference solution
in parts, wrong versions of each part, and tests. Nothing here knows a tutor, a student or a language model.
"""
