"""The checks without a model: what can be decided of an answer by rule. They are no judge, and say so in every line.

correctness: what it says of student, rules and plan stands in the report or in what tools said. actionability: by form,
a sentence tells the student to do something. language: hardly a word that no list knows. Relevance, and whether a tool
fits, cannot be decided this way, and are left out.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from eval.judge.items import JudgeCase
from eval.judge.judgement import LOCAL, Judgement, Verdict, digest_answer
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
SHORTEST = 3
"""Letters of a word that is looked up."""
WORD_LISTS = {"English": "en", "French": "fr", "German": "de", "Spanish": "es", "Italian": "it", "Portuguese": "pt"}
"""The languages of which pyspellchecker has a list, as a task names them."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

_ADVICE = re.compile(
    r"(?:^|(?:[.!?:;\n]|\d[.)]|[-*•])[^\S\n]*|\b(?:then|first|so|and|please|to improve,|next)\s+)"
    r"(?:keep|start|begin|try|review|revise|go|work|practi[sc]e|solve|spend|watch|read|do|plan|focus|look|ask|set|use|"
    r"repeat|take|aim|study|prepare|complete|finish|spread|check|make|open|answer|return|increase|reduce|raise|lower|schedule|"
    r"commen[cç]e[zr]?|essaye[zr]?|révise[zr]?|relis(?:ez)?|travaille[zr]?|fai(?:s|tes)|regarde[zr]?|consacre[zr]?)\b"
    r"|\b(?:you (?:should|could|can|might|need to)|i (?:suggest|recommend)|it (?:would|will) help|worth|"
    r"(?:tu|vous) (?:devrai[st]|devriez|peux|pouvez|pourrai[st]|pourriez)|je (?:te|vous) (?:conseille|recommande))\b",
    re.IGNORECASE,
)

FindUnsupported = Callable[[Trajectory, str], Sequence[str]]
"""What an answer names that nothing supports; see `scribe.grounding`."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check decides, and why."""

    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class LocalChecks:
    """All checks. find_guard: the course's check for a record."""

    find_guard: Callable[[Record], FindUnsupported]

    def judge(self, case: JudgeCase) -> list[Judgement]:
        """Make a judgement by each criterion that can be decided; `unparsed` where it cannot for this answer."""
        record = case.record
        results: Mapping[str, CheckResult] = {
            "actionability": check_advice(record),
            "correctness": self._check_grounding(record),
            "language": check_spelling(record),
        }
        of = digest_answer(record)
        return [_make_judgement(case, criterion, result, of) for criterion, result in results.items()]

    def _check_grounding(self, record: Record) -> CheckResult:
        complaints = self.find_guard(record)(record.trajectory, record.answer or "")
        if complaints:
            return CheckResult("no", f"neither the report nor a tool supports {', '.join(complaints)}")
        return CheckResult("yes", "every week, number and name in the answer stands in the report or a tool's result")


def check_advice(record: Record) -> CheckResult:
    """Check by form whether a sentence tells the student to do something."""
    advice = _ADVICE.search(record.answer or "")
    if advice:
        return CheckResult("yes", f"it tells the student to do something: “{' '.join(advice[0].split())} …”")
    return CheckResult("no", "no sentence of the answer has the form of advice")


def check_spelling(record: Record) -> CheckResult:
    """Check by a word list whether hardly a word is unknown."""
    task, text = record.task, record.answer or ""
    said = (each.content for step in record.steps if isinstance(step, Act) for each in step.observations)
    unknown = find_unknown_words(text, (task.report, task.about, *said), task.language)
    if unknown is None:
        return CheckResult("unparsed", f"there is no word list of {task.language}")
    if len(unknown) > max(1.0, MISSPELT * len(_split_words(text))):
        return CheckResult("no", f"no list knows {', '.join(unknown)}")
    return CheckResult("yes", f"a list knows the words, but for {', '.join(sorted(unknown)) or 'none'}")


def find_unknown_words(text: str, sources: Iterable[str], language: str) -> list[str] | None:
    """Find the words that no list and no source holds, each once; None if there is no list of the language.

    Words with a capital are taken for names, words that a source has for the course's own.
    """
    if language not in WORD_LISTS:
        return None
    listed = _load_word_list(WORD_LISTS[language])
    known = {word.casefold() for source in sources for word in _WORD.findall(source)}
    words = dict.fromkeys(word for word in _split_words(text) if word.islower() and word not in known)
    return [word for word in words if not _is_listed(word, listed)]


def _split_words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if len(word) >= SHORTEST]


def _is_listed(word: str, listed: Any) -> bool:
    """Whether the list has a word, or each part of one that is put together ("don't", "l'exercice")."""
    return word in listed or all(len(part) < SHORTEST or part in listed for part in re.split("['’]", word))


@cache
def _load_word_list(code: str) -> Any:
    from spellchecker import SpellChecker  # a moment, and only the checks without a model need it

    return SpellChecker(language=code)


def _make_judgement(case: JudgeCase, criterion: str, result: CheckResult, of: str) -> Judgement:
    text = f"{VERSION} {criterion} {records.to_json(case.record)}"
    return Judgement(
        answer=case.record.id,
        run=case.run,
        criterion=criterion,
        judge=LOCAL,
        endpoint_model=VERSION,
        repeat=0,
        verdict=result.verdict,
        reasoning=PREFACE + result.why,
        seconds=0.0,
        prompt_tokens=0,
        completion_tokens=0,
        fingerprint=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
        of=of,
    )
