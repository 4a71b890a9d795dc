"""Making the models: conversations by capable writers, what is kept of them, LoRA and export.

Nothing here is needed to answer a student; it is needed to make what answers. A step makes one file or folder of a run
(`step`); `pipeline` runs the steps of the other folders in their order. A stage is a step that trains one adapter
(`lora.stage`) on some of the turns (`examples.rows`). The files beside this one are what all of them need.
"""
