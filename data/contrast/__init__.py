"""Why a student is predicted to pass or to fail, told by contrast (Dhurandhar et al. 2018, arXiv 1802.07623).

`explain.explain` finds for every student of a course at once the smallest sensible change of behaviour
that would flip the prediction (pertinent negative) and the part of the behaviour that is enough for it to
stay (pertinent positive). `search` states what is looked for, `descent` looks for it, `cost` says what is
sensible, `baselines` holds two simpler ways; `python -m data.contrast.measure` compares them.
"""
