"""The engine measured: beside a plain loop and llama-server, in its answers, its waiting times and its memory.

Each figure is a module with `add_options` and `run`, and a command `scribe bench FIGURE`. Every contender answers the
same questions with the same model file, threads and room, in a process of its own.
"""
