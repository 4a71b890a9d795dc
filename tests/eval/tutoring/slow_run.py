"""A run that measures two sessions and then hangs, for a test that kills it: `python slow_run.py FOLDER`."""

import sys
import threading
from pathlib import Path

from eval.tutoring.protocol.record import MeasuredSession, SessionKey
from eval.tutoring.protocol.run import MeasurementFolder, run_sessions
from tests.eval.tutoring.scripted import record

KEYS = [SessionKey("t", task, "low", 0) for task in "abcd"]
ABOUT = {"tasks": {}, "tutors": {}}


def measure(key: SessionKey) -> MeasuredSession:
    return record(key.tutor, key.task, key.level, (0, 10))


def hang_after_two(key: SessionKey) -> MeasuredSession:
    if key.task > "b":
        threading.Event().wait()
    return measure(key)


if __name__ == "__main__":
    with MeasurementFolder(Path(sys.argv[1]), ABOUT) as folder:
        run_sessions(folder, KEYS, hang_after_two, 1, lambda: False, lambda done, total: None)
