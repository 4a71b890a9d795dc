"""llama.cpp's library, loaded so that it shares the processor with others.

Its threads meet several hundred times a token. By default a thread that waits there spins, and where another process
or the search wants the same core it spins away the time that the awaited thread needs. With a short spin and then
sleep, three `scribe ask` at once on two cores (AVX2) take 18 instead of 39 seconds, and one alone no longer than before
(`scribe bench neighbours`).
"""

import os

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # read once, when the library is loaded

import llama_cpp

__all__ = ["llama_cpp"]
