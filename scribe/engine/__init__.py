"""Many conversations with one small model at once, cheaply: continuous batching over llama.cpp.

Each answer is several calls of the model over a long prompt of which most was read before. Threads call
`Engine.complete`; one thread (`scheduler`) owns llama.cpp's `context` and does step after step. A step (`steps`)
evaluates one token for every turn under way and a piece of the prompts that are being read, so that requests join and
leave between steps and nobody's stream waits long. Who waits stands in `line`, where owners take turns.

What was read is not read again. A request gets one of the `places` in the context; the next step of its conversation
goes on there. Everything else is kept as bytes (`state`) in a tree of token prefixes (`prefixes`): nobody's text once
for all (on disk too, `saved`), a report once for its student, and each conversation as it grows. Whoever needs what
somebody else is reading right now waits for that. A node with a student's text serves no request but that student's:
`path` says who may take what from whom, and nothing else decides it.

A `request` carries its own grammar, seed and turn (`scribe.backends.writing`), so one that fails, ends or is given up
touches no other. `counters` says what was done. It is no model server: one process, one model, one adapter.
"""
