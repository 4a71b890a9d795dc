"""The pipeline from event logs, grades and the outcomes of an earlier run to a course bundle: `run.build_bundle`."""
