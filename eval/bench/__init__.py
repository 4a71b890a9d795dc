"""The figures of `scribe bench`: what the engine saves, beside what others do with the same model and questions.

`recorded` has 64 questions answered once by the embedded model. Contenders (`contenders`, `frameworks`) get the same
questions, model file, threads and room; with the random weights of `shapes` they all write what was recorded
(`replay`), so that all do the same work. Each figure is a module with `options` and `run`; each contender runs in a
process of its own (`apart`).
"""
