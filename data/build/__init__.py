"""The pipeline: from event logs, grades and the outcomes of an earlier run to the files of a course bundle.

`run.build_bundle` goes through all steps. Nothing is written into the bundle before everything has been checked, and
then all of it is replaced at once (`staging`).
"""
