"""What participants of a user study said of models: tests, effect sizes, shares and the figure, from exported CSV.

It knows nothing of how the study was run, and reads no conversation.
"""
