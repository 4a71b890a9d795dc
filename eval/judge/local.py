"""The checks without a model: what can be decided of an answer by rule. They are no judge, and say so in every line.

correctness: what it says of student, rules and plan stands in the report or in what tools said. actionability: by form,
a sentence tells the student to do something. language: hardly a word that no list knows. Relevance, and whether a tool
fits, cannot be decided this way, and are left out.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eval.judge import spelling
from eval.judge.digest import digest
from eval.judge.judgement import LOCAL, Judgement, Verdict
from eval.judge.work import Case
from scribe import records
from scribe.records import Record
from scribe.trajectory import Act, Trajectory

CRITERIA = ("actionability", "correctness", "language")
"""What can be decided without a model."""
VERSION = "scribe-checks-6"
"""Goes into the fingerprint: another version's verdicts are others."""
PREFACE = "Scribe's check without a model, not the rubric's judge: "
MISSPELT = 0.04
"""The share of unknown words up to which an answer counts as readable; one such word is always let pass."""

_ADVICE = re.compile(
    r"(?:^|[.!?:;\n]\s*|\d[.)]\s*|[-*•]\s*|\b(?:then|first|so|and|please|to improve,|next)\s+)"
    r"(?:keep|start|begin|try|review|revise|go|work|practi[sc]e|solve|spend|watch|read|do|plan|focus|look|ask|set|use|"
    r"repeat|take|aim|study|prepare|complete|finish|spread|check|make|open|answer|return|increase|reduce|raise|lower|schedule|"
    r"commen[cç]e[zr]?|essaye[zr]?|révise[zr]?|relis(?:ez)?|travaille[zr]?|fai(?:s|tes)|regarde[zr]?|consacre[zr]?)\b"
    r"|\b(?:you (?:should|could|can|might|need to)|i (?:suggest|recommend)|it (?:would|will) help|worth|"
    r"(?:tu|vous) (?:devrai[st]|devriez|peux|pouvez|pourrai[st]|pourriez)|je (?:te|vous) (?:conseille|recommande))\b",
    re.IGNORECASE,
)

Grounded = Callable[[Trajectory, str], Sequence[str]]
"""What an answer names that nothing supports; see `scribe.grounding`."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a check decides, and why."""

    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class Checks:
    """All checks. grounded: the course's check for a record."""

    grounded: Callable[[Record], Grounded]

    def judge(self, case: Case) -> tuple[Judgement, ...]:
        """A judgement by each criterion that can be decided; `unparsed` where it cannot for this answer."""
        found: Mapping[str, Found] = {
            "actionability": actionable(case.record),
            "correctness": self._grounded(case.record),
            "language": readable(case.record),
        }
        of = digest(case.record)
        return tuple(_judgement(case, criterion, each, of) for criterion, each in found.items())

    def _grounded(self, record: Record) -> Found:
        complaints = self.grounded(record)(record.trajectory, record.answer or "")
        if complaints:
            return Found("no", f"neither the report nor a tool supports {', '.join(complaints)}")
        return Found("yes", "every week, number and name in the answer stands in the report or a tool's result")


def actionable(record: Record) -> Found:
    """By form: whether a sentence tells the student to do something."""
    advice = _ADVICE.search(record.answer or "")
    if advice:
        return Found("yes", f"it tells the student to do something: “{' '.join(advice[0].split())} …”")
    return Found("no", "no sentence of the answer has the form of advice")


def readable(record: Record) -> Found:
    """By a word list: whether hardly a word is unknown."""
    task, text = record.task, record.answer or ""
    said = (each.content for step in record.steps if isinstance(step, Act) for each in step.observations)
    unknown = spelling.unknown(text, (task.report, task.about, *said), task.language)
    if unknown is None:
        return Found("unparsed", f"there is no word list of {task.language}")
    if len(unknown) > max(1.0, MISSPELT * len(spelling.words(text))):
        return Found("no", f"no list knows {', '.join(unknown)}")
    return Found("yes", f"a list knows the words, but for {_listed(set(unknown))}")


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _judgement(case: Case, criterion: str, found: Found, of: str) -> Judgement:
    text = f"{VERSION} {criterion} {records.to_json(case.record)}"
    return Judgement(
        answer=case.record.id,
        run=case.run,
        criterion=criterion,
        judge=LOCAL,
        endpoint_model=VERSION,
        repeat=0,
        verdict=found.verdict,
        reasoning=PREFACE + found.why,
        seconds=0.0,
        prompt_tokens=0,
        completion_tokens=0,
        fingerprint=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
        of=of,
    )
