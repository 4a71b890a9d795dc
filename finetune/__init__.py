"""Making the models: conversations by capable writers, what is kept of them, LoRA and export.

Nothing here is needed to answer a student; it is needed to make what answers. `pipeline` runs the steps of the other
folders in their order; the files beside this one are what all of them need.
"""
