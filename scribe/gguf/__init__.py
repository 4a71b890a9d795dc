"""GGUF files through llama.cpp: weights, vocabulary, contexts, and the state of what a context has read.

Nothing else of Scribe calls llama.cpp. It batches what it is given; who is served when is decided in `scribe.engine`.
"""
