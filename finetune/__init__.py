"""Making the models: conversations by capable writers, what is kept of them, LoRA and export.

Nothing here is needed to answer a student; it is needed to make what answers.
"""
