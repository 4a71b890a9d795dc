"""LoRA training: from rows of ids and labels to an adapter and its loss curve.

It is not a trainer for any model and any data: a plain loop over Llamas in the Hugging Face format, whose rows come
from our own transcript. `stage` is the entry.
"""
