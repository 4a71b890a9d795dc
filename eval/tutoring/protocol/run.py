"""A run of many sessions into a folder: in threads, resumable after any kill, every failure counted.

`sessions.jsonl` has a line for each finished session, `programs.jsonl` each program that was tested, `run.json` what
all sessions have in common. A session is written when it is whole; a killed run loses those that were under way.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from eval.lines import parse_line
from eval.tutoring.programs.appending import LineFile
from eval.tutoring.protocol.record import SESSION, MeasuredSession, SessionKey
from scribe.plumbing.errors import BackendError, RecordError, UsageError
from scribe.plumbing.files import lock, write_text
from scribe.plumbing.progress import OnCount
from scribe.plumbing.threads import run_in_threads
from scribe.sandbox.result import SandboxMissing

SESSIONS, PROGRAMS, ABOUT = "sessions.jsonl", "programs.jsonl", "run.json"
MAX_ERRORS = 20

Measure = Callable[[SessionKey], MeasuredSession]


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How a run ended. failed: sessions without a record, by what went wrong; they are tried again next time."""

    state: Literal["finished", "interrupted", "stopped"]
    wanted: int
    done: int
    failed: Mapping[str, int]


class MeasurementFolder:
    """The folder of a run, held by this process until it is left (a context).

    about: what identifies students, tasks and models; "tasks" and "tutors" in it may grow, what is there must stay.
    Raises UsageError for a folder in use, of other students or with anything that differs, RecordError for bad lines.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self.path, self._about = path, about
        self._held = contextlib.ExitStack()
        self.sessions: dict[SessionKey, MeasuredSession] = {}
        self._file: LineFile

    def __enter__(self) -> "MeasurementFolder":
        self.path.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as held:
            in_use = f"another run is writing to {self.path}; wait, or give another --out"
            held.enter_context(lock(self.path / SESSIONS, in_use))
            write_text(self.path / ABOUT, json.dumps(self._agree(), ensure_ascii=False, indent=1) + "\n")
            self._file = LineFile(self.path / SESSIONS)
            for where, line in self._file.read():
                session = parse_line(line, SESSION, where)
                self.sessions[session.key] = session
            self._held = held.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._held.close()

    def add(self, session: MeasuredSession) -> None:
        """Write a finished session. Raises OSError."""
        line = SESSION.dump_python(session, mode="json")
        self._file.append(json.dumps(line, ensure_ascii=False))
        self.sessions[session.key] = session

    def _agree(self) -> dict[str, Any]:
        """What `run.json` has to say: as before, with the tasks and tutors that are new."""
        path = self.path / ABOUT
        if not path.exists():
            return dict(self._about)
        try:
            before: dict[str, Any] = json.loads(path.read_bytes())
            differing = sorted(_list_differences(before, self._about))
        except (ValueError, AttributeError, TypeError) as error:
            raise RecordError(f"{path} is not what a run of `scribe dict` writes: {error}") from error
        if differing:
            raise UsageError(f"{self.path} was measured with other {', '.join(differing)}; give another --out")
        grown = {name: {**before[name], **self._about[name]} for name in ("tasks", "tutors")}
        return {**before, **grown}


def run_sessions(
    folder: MeasurementFolder,
    keys: Sequence[SessionKey],
    measure: Measure,
    parallel: int,
    stopped: Callable[[], bool],
    on_count: OnCount,
    max_errors: int = MAX_ERRORS,
) -> RunOutcome:
    """Measure the sessions that the folder lacks. What would fail for all, such as no sandbox, is raised."""
    due = [key for key in keys if key not in folder.sessions]
    failed = Counter[str]()

    def work(key: SessionKey, _: Callable[[], bool]) -> tuple[MeasuredSession | None, str] | None:
        try:
            return measure(key), ""
        except BackendError as error:
            return None, f"{type(error).__name__}: {error}"
        except SandboxMissing:
            if stopped():
                return None  # Ctrl-C reaches the sandboxes too: this one is not missing, it was ended
            raise

    def over() -> bool:
        return stopped() or failed.total() > max_errors

    on_count(len(keys) - len(due), len(keys))
    with contextlib.closing(run_in_threads(work, due, parallel, over)) as results:
        for result in results:
            if result is None:
                continue
            session, trouble = result
            if session is not None:
                folder.add(session)
            else:
                failed[trouble] += 1
            on_count(sum(key in folder.sessions for key in keys), len(keys))
    state: Literal["finished", "interrupted", "stopped"] = (
        "interrupted" if stopped() else "stopped" if failed.total() > max_errors else "finished"
    )
    return RunOutcome(state, len(keys), sum(key in folder.sessions for key in keys), dict(failed))


def _list_differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What is not as it was; of tasks and tutors only those that both have are compared."""
    for name in {*before, *now}:
        one, other = before.get(name), now.get(name)
        if name in ("tasks", "tutors") and isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from (f"{name} ({each})" for each in one.keys() & other.keys() if one[each] != other[each])
        elif one != other:
            yield name
