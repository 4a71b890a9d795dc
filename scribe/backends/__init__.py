"""Language models behind `scribe.backend.Backend`: llama.cpp, transformers, and any OpenAI-compatible server.

`chat` is the one place that turns messages into token ids, for training too; `constraint` and
`decoding` are shared by the models that run in this process. A backend is not a model server: it
answers one prompt at a time, and callers that want many at once take the engine.
"""
