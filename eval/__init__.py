"""Evaluation: questions as students would write them, and how a model does on them.

Judges, agreement and reports come later; nothing here is needed to answer a student.
"""
