"""From what was trained to what the chat loads: merged weights, GGUF, LoRA as GGUF, and the proof that they agree.

Only what we train: Llamas without biases, with RoPE as it is or scaled as in Llama 3.1 and later, and byte-level BPE
tokenizers that split as Llama 3's or SmolLM2's do. What would be written without complaint and then compute something
else is refused. Not here: training, and other architectures, for which llama.cpp has its own converter.
"""

from finetune.export.model_gguf import export_gguf

__all__ = ["export_gguf"]
