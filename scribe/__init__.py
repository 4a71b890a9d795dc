"""The core of Scribe: the record of one question, the loop that answers it, and what talks to a model.

Knows no tool, no course and no user interface; see `tools`, `data` and `app` for those. It is not an
agent framework: there is one loop, one prompt and one way to end.
"""
