"""How often a model reaches for a tool that was in none of its training data, where it helps and where it does not.

The tool is `web_search`. It is not a judgement of the answers (that is `eval.judge`), nor of the search.
"""
