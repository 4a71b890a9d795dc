"""How fast Scribe's engine is and what memory it takes, beside others: the figures of `scribe bench`.

How good answers are, `scribe evaluate` says.
"""
