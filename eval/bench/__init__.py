"""What is measured of Scribe's parts, each beside something: speed, memory, search, and what a kill leaves behind.

The figures of `scribe bench` are modules with `add_options` and `run` (see README.md); others are programs of their
own, `python -m eval.bench.NAME`. Not here: how good answers are, which is `scribe evaluate`.
"""
