"""Language models behind `scribe.backend.Backend`: llama.cpp, transformers, and any OpenAI-compatible server.

`tools.assembly.model.make_backend` opens the one that the settings name. A backend is not a model server: it answers
one prompt at a time, and callers that want many at once take the engine.
"""
