"""The domain tools, each bound to one student of one course, and the search they stand on.

`build.toolbox` makes them all. A tool answers with a small JSON object that a small model can copy
from: few keys, plain words, units in the text. It touches no network and no clock, and of other
students it sees only what is true of the whole class. The agent that calls tools is `scribe`.
"""
