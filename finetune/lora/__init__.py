"""Two-stage LoRA: from trajectories to rows of ids and labels, to adapters, to merged weights.

It is not a trainer for any model and any data: a plain loop over Llamas in the Hugging Face format, whose rows come
from our own transcript. GGUF files are `finetune.export`.
"""
