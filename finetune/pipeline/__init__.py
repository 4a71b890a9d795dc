"""All steps as one, from a TOML file and course bundles to a GGUF file for the chat; like make, only what is due.

    scribe train finetune/configs/smollm2.toml --out runs/mine

What a step does is its own folder's affair; here is their order, which file of one is which input of the next, and
what a run will take.
"""
