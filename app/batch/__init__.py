"""Batch answering: a file of questions in, a file of records out, and a run that can be broken off anywhere.

Holds no rule of the loop and no model: each question goes through `tools.assembly` and `app.dialogue.asking`, as one
asked at the terminal does. It is not a queue or a server: one process owns one file from beginning to end.
"""
