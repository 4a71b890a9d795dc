"""The page on a run of `scribe dict`: tables, curves and the worst dialogues in one file that needs nothing else."""
