"""How well the check of answers tells true statements from false ones: labelled ones on cases of the demo courses.

What it is not: a judgement of a model. No model speaks here; statements and labels are given.
"""
