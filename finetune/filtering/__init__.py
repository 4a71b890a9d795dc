"""Which trajectories are good enough to learn from: decided by rule, and by a judge's verdicts where there are some.

Nothing is answered, judged or mended here; what is dropped is kept beside the rest with the reason.
"""
