"""Many conversations with one small model at once, cheaply: continuous batching over llama.cpp.

Each answer is several calls of the model over a long prompt of which most was read before. Threads call
`Engine.complete`; one thread (`scheduler`) owns the context and does step after step. A step (`step_plan`) evaluates
one token for every turn under way and a piece of the prompts that are being read, so that requests join and leave
between steps and nobody's stream waits long. Who waits stands in `request_queue`, where owners take turns.

What was read is not read again. A request gets one of the `slots` of the context; the next step of its conversation
goes on there. Everything else is kept as KV state in a tree of token prefixes (`prefix_cache`): the shared prefix once
for all (on disk too, `prefix_files`), a report once for its student, and each conversation as it grows. Whoever needs
what somebody else is reading right now waits for that. `token_sequence` says who may take what from whom, and nothing
else decides it: a node with a student's text serves no request but that student's.

It is no model server: one process, one model, one adapter.
"""
