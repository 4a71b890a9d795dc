"""Three `scribe ask` at once took eight times as long as one: waiting threads of llama.cpp never let go of a core."""

import os
import subprocess
import sys

import pytest

LOADED = "import os, scribe.backends.gguf_file; print(os.environ['GOMP_SPINCOUNT'])"


@pytest.mark.parametrize(("told", "found"), [(None, "1000"), ("7", "7")])
def test_waiting_threads_soon_sleep_unless_somebody_chose_otherwise(told: str | None, found: str) -> None:
    surroundings = {name: value for name, value in os.environ.items() if name != "GOMP_SPINCOUNT"}
    surroundings |= {"GOMP_SPINCOUNT": told} if told else {}
    done = subprocess.run(
        [sys.executable, "-c", LOADED], env=surroundings, capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.strip() == found
