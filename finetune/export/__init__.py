"""From what was trained to what the chat loads: merged weights, GGUF, and the proof that they agree.

Only what we train: Llamas, with tokenizers like Llama 3's or SmolLM2's. What would be written without complaint and
then compute something else is refused; llama.cpp has its own converter for other architectures.
"""

from finetune.export.model_gguf import export_gguf

__all__ = ["export_gguf"]
