"""Explains why a student is predicted to pass or to fail, by contrast (Dhurandhar et al. 2018, arXiv 1802.07623).

`explain.explain` finds for every student the smallest sensible change of behaviour that flips the prediction (pertinent
negative) and the part of it that is enough for it to stay (pertinent positive). `descent` solves one such search,
`plausibility` says which changes are sensible, `pertinent` chooses.
"""
