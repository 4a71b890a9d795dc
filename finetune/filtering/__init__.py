"""Which trajectories are good enough to learn from: decided by rule, and by a judge's verdicts where there are some."""
