"""Judging: finished answers held against written rubrics, one criterion a request, offline.

Holds no statistics (`eval.agreement`, `eval.significance`), no pages (`eval.report`) and no rule of the loop. What
could not be judged is missing and counted; it is never a NO.
"""
