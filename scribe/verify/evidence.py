"""What a dialogue shows of a student's knowledge, found by rules: who treated which component, and what tests said.

A turn treats a component if it holds at least half of the cues that an explanation contains, or of the telling words of
the sentence that says what must be known. These rules only observe: nobody's words are changed or answered by them.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

from scribe.tutor.results import read_results
from scribe.tutor.session import ComponentBrief, StudentTurn, TaskBrief, TutoringSession, TutorTurn

TREATED = 0.5
"""The share of cues from which on a turn treats a component."""
ASKED = 0.3
"""That from which on a question is about one."""
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_FIRST = re.compile(r"[a-z]+(?:-[a-z]+)?")
_TELLING = re.compile(r"[a-z_]{5,}")
_STEM = 6
"""Of a telling word so many letters count, so that endings do not."""


class EvidenceKind(StrEnum):
    """What happened to a component in a turn."""

    NAMED = "named"
    """The tutor treated it: an occasion to learn."""
    REPEATED = "repeated"
    """The student said what it is, or checked it: "So it starts at zero?"."""
    ASKED = "asked"
    """The student asked about it, or said not to understand it."""
    PASSED = "passed"
    """The tests of this component pass."""
    FAILED = "failed"
    """One of them fails."""


@dataclass(frozen=True, slots=True)
class EvidenceEvent:
    """One observation: the place of the turn in the session, the component's name, and what it was."""

    turn: int
    component: str
    kind: EvidenceKind


def find_evidence(session: TutoringSession) -> tuple[EvidenceEvent, ...]:
    """All observations of a session, in the order of its turns and of the components."""
    return tuple(
        EvidenceEvent(at, component.name, kind)
        for at, turn in enumerate(session.turns)
        for component in session.brief.components
        for kind in (_read_tutor(turn, component) if isinstance(turn, TutorTurn) else _read_student(turn, component))
        if kind not in (EvidenceKind.PASSED, EvidenceKind.FAILED) or _is_new_code(session, at)
    )


@lru_cache(maxsize=4096)
def measure_treatment(component: ComponentBrief, text: str) -> float:
    """How much of what explains a component stands in a text, in [0, 1]."""
    folded = fold(text)
    cues = [_has(folded, fold(cue)) for cue in component.cues]
    words = list_telling_words(component.text)
    found = [word for word in words if re.search(rf"\b{re.escape(word)}", folded)]
    return max(sum(cues) / len(cues) if cues else 0.0, len(found) / len(words) if len(words) > 1 else 0.0)


def list_treated(brief: TaskBrief, text: str) -> tuple[str, ...]:
    """The names of the components that a text treats."""
    return tuple(each.name for each in brief.components if measure_treatment(each, text) >= TREATED)


def judge_tests(component: ComponentBrief, results: str) -> bool | None:
    """Whether the tests of a component passed: None if nothing is known of them.

    A component that names no tests is right if all tests pass; a failure then tells nothing of it alone.
    """
    said = read_results(results)
    own = [said[name] for name in component.tests if name in said]
    if own:
        return all(own)
    return True if said and all(said.values()) else None


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """The text in small letters without accents, which students leave out."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in plain if not unicodedata.combining(each))


@lru_cache(maxsize=1024)
def list_telling_words(text: str) -> tuple[str, ...]:
    """The beginnings of the longer words of a sentence, each once."""
    words = _TELLING.findall(fold(text))
    return tuple(dict.fromkeys(word if "_" in word else word[:_STEM] for word in words))


def _has(text: str, cue: str) -> bool:
    """Whether a cue stands in the text at the beginning of a word; an ending of two letters is allowed."""
    before = r"\b" if cue[:1].isalnum() else ""
    after = r"\w{0,2}\b" if cue[-1:].isalnum() else ""
    return re.search(f"{before}{re.escape(cue)}{after}", text) is not None


def _read_tutor(turn: TutorTurn, component: ComponentBrief) -> Iterator[EvidenceKind]:
    if measure_treatment(component, turn.text) >= TREATED:
        yield EvidenceKind.NAMED


def _read_student(turn: StudentTurn, component: ComponentBrief) -> Iterator[EvidenceKind]:
    asking, checking, saying = _split_sentences(turn.text)
    if measure_treatment(component, asking) >= ASKED:
        yield EvidenceKind.ASKED
    elif measure_treatment(component, f"{checking} {saying}") >= TREATED:
        yield EvidenceKind.REPEATED
    elif measure_treatment(component, checking) >= ASKED:
        yield EvidenceKind.ASKED
    passed = judge_tests(component, turn.results)
    if passed is not None:
        yield EvidenceKind.PASSED if passed else EvidenceKind.FAILED


def _is_new_code(session: TutoringSession, at: int) -> bool:
    """Whether this turn's results are of other code than the last ones were: the same code tells nothing twice."""
    earlier = [turn for turn in session.turns[:at] if isinstance(turn, StudentTurn) and turn.results]
    turn = session.turns[at]
    return not (earlier and isinstance(turn, StudentTurn) and turn.code and earlier[-1].code == turn.code)


def _split_sentences(text: str) -> tuple[str, str, str]:
    """The sentences that ask or doubt, the questions that check a thought, and the others."""
    kinds: tuple[list[str], list[str], list[str]] = ([], [], [])
    for sentence in _SENTENCE.findall(text):
        folded = fold(sentence)
        first = _FIRST.search(folded)
        opened = first is not None and first.group() in _load_signs("openers")
        doubted = any(sign in folded for sign in _load_signs("doubts"))
        place = 0 if doubted or ("?" in sentence and opened) else 1 if "?" in sentence else 2
        kinds[place].append(sentence)
    asking, checking, saying = (" ".join(each) for each in kinds)
    return asking, checking, saying


@cache
def _load_signs(kind: str) -> frozenset[str]:
    path = Path(__file__).with_name("doubts.toml")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return frozenset(fold(sign) for name, signs in found.items() if name.startswith(kind) for sign in signs)
