"""What can be counted in finished answers without a judge: calls, faults, groundedness, seconds and tokens.

It gives no opinion on an answer (`eval.judge` does), and it needs no model.
"""
