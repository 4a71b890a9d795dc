"""Which dialogues people compare: of drawn tasks all levels, tutors two and two, the side of each tutor balanced."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random

from eval.lines import parse_lines
from eval.tutoring.pairs.pair import KEY, LABELS, PAIRS, DialoguePair, PairKey, PairTurn, write_lines
from eval.tutoring.protocol.record import SESSION, MeasuredSession, SessionKey
from eval.tutoring.protocol.run import SESSIONS
from eval.tutoring.students.student import LEVELS, Level
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import PRIVATE, write_text

Texts = Mapping[str, tuple[str, str]]
"""Title and description of each task, as its students see them."""


def read_dialogues_of(folder: Path) -> dict[SessionKey, MeasuredSession]:
    """The sessions of a run that have a dialogue. Raises UsageError for no run, RecordError for a bad line."""
    if not (folder / SESSIONS).is_file():
        raise UsageError(f"{folder} holds no {SESSIONS}; name a folder that `scribe dict --out` wrote")
    found = (session for _, session in parse_lines(folder / SESSIONS, SESSION, "the sessions"))
    return {session.key: session for session in found if session.rounds}


def draw_keys(
    sessions: Mapping[SessionKey, MeasuredSession], tutors: Sequence[str], tasks: int, seed: int = 0
) -> list[PairKey]:
    """Pairs of the first tutor with each other one, over so many tasks at each level.

    Which tutor's is `one` alternates over the drawn students of a comparison, so that each is it in half of them.
    Raises UsageError for tutors that have no task in common.
    """
    if len(set(tutors)) != len(tutors) or len(tutors) < 2:
        raise UsageError("name two or more different tutors; the first is compared with each of the others")
    there = {key.task for key in sessions}
    whole = sorted(task for task in there if all([*_list_students(sessions, tutors, task, level)] for level in LEVELS))
    if not whole:
        known = ", ".join(sorted({key.tutor for key in sessions})) or "no tutor"
        raise UsageError(f"no task has dialogues of {', '.join(tutors)} at every level; there are those of {known}")
    chance = Random(f"pairs {seed}")
    drawn = sorted(chance.sample(whole, min(tasks, len(whole))))
    found = list[PairKey]()
    for first, other in _compare(tutors):
        students = [
            (task, level, number)
            for level in LEVELS
            for task in chance.sample(drawn, len(drawn))
            for number in _list_students(sessions, tutors, task, level)
        ]
        turned = chance.randrange(2)
        for at, (task, level, number) in enumerate(students):
            one, two = (first, other) if (at + turned) % 2 else (other, first)
            name = _hide(seed, one, two, task, level, number)
            found.append(PairKey(name, _hide(seed, first, other, at // 2), one, two, task, level, number))
    return sorted(found, key=lambda each: each.name)


def make_pair(key: PairKey, sessions: Mapping[SessionKey, MeasuredSession], texts: Texts) -> DialoguePair:
    """What people see of a pair."""
    one, other = (
        tuple(_list_turns(sessions[SessionKey(tutor, key.task, key.level, key.seed)])) for tutor in (key.one, key.other)
    )
    return DialoguePair(key.name, key.block, *texts[key.task], one, other)


def write_pairs(folder: Path, keys: Sequence[PairKey], pairs: Sequence[DialoguePair]) -> None:
    """Write both files, each whole or not at all. Raises UsageError where others were drawn and labelled already."""
    content = {PAIRS: write_lines(pairs), KEY: write_lines(keys)}
    for name, text in content.items():
        if (folder / LABELS).exists() and (folder / name).exists() and (folder / name).read_text("utf-8") != text:
            raise UsageError(f"{folder} has labels of other pairs; give another --out")
    for name, text in content.items():
        write_text(folder / name, text, PRIVATE)


def _hide(*what: object) -> str:
    """A name that tells nothing."""
    return hashlib.sha256("\n".join(map(str, what)).encode()).hexdigest()[:12]


def _compare(tutors: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((one, other) for one, other in combinations(tutors, 2) if one == tutors[0])


def _list_students(
    sessions: Mapping[SessionKey, MeasuredSession], tutors: Sequence[str], task: str, level: Level
) -> Iterator[int]:
    """The seeds of those whom every tutor had."""
    for seed in sorted({key.seed for key in sessions if (key.task, key.level) == (task, level)}):
        if all(SessionKey(tutor, task, level, seed) in sessions for tutor in tutors):
            yield seed


def _list_turns(session: MeasuredSession) -> Iterator[PairTurn]:
    for each in session.rounds:
        yield PairTurn("tutor", each.tutor.text)
        yield PairTurn("student", each.student.text)
