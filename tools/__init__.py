"""The domain tools, each bound to one student of one course, and the search they stand on.

Each is a file with its name and a `make`; `toolbox` lists them. Beside them lie what they look at (`view`) and what a
conversation begins with (`conversation`). A tool answers with a small JSON object that a small model can copy from: few
keys, plain words, units in the text. It touches no network and no clock, and of other students it sees only what is
true of the whole class. The agent that calls tools is `scribe`.
"""
