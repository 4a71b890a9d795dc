"""Making the models: generated questions, a scripted teacher, the embedded model and its export.

Nothing here is needed to answer a student; it is needed to make what answers.
"""
