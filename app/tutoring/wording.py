"""What a terminal says around a tutoring session, in the student's language."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from app.dialogue.wording import make_printable
from scribe.sandbox.result import CaseResult, SuiteResult
from scribe.tutor.session import Language, TaskBrief

_FILES: dict[Language, str] = {"English": "words_en.toml", "French": "words_fr.toml"}
_PRINTED = 400
"""Characters of what a test prints that are shown."""
_BLOCKS = "▁▃▅▇█"


@cache
def load_words(language: Language) -> Mapping[str, str]:
    """The words of a language by their names."""
    path = Path(__file__).with_name(_FILES[language])
    return {name: str(text) for name, text in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def write_progress(brief: TaskBrief, belief: Mapping[str, float]) -> str:
    """One line: each component with a bar as high as the tutor believes it to be known."""
    shown = (f"{each.name} {_block(belief[each.name])}" for each in brief.components if each.name in belief)
    return f"· {load_words(brief.language)['knows']}: {'  '.join(shown)}"


def write_task(brief: TaskBrief) -> str:
    """Title, description, and the code that is to be completed."""
    head = f"{brief.title}\n{'=' * len(brief.title)}\n{brief.description.strip()}"
    return f"{head}\n\n{brief.target}\n\n{brief.stub.strip()}"


def write_suite(result: SuiteResult, language: Language) -> str:
    """The tests as a student reads them: a line for each, what failed below it, and how many passed."""
    words, passed = load_words(language), sum(case.passed for case in result.cases)
    last = words["all_passed"] if result.passed else words["some_failed"].format(passed=passed, all=len(result.cases))
    return "\n".join((*(line for case in result.cases for line in _write_case(case, words)), last))


def _write_case(case: CaseResult, words: Mapping[str, str]) -> Iterator[str]:
    yield f"  {'✓' if case.passed else '✗'} {case.name.removeprefix('test_').replace('_', ' ')}"
    if case.passed:
        return
    for line in (case.message or words.get(f"reason_{case.reason}", case.reason)).splitlines():
        yield f"      {make_printable(line)}"
    if case.output.strip():
        yield f"      {words['printed']}: {make_printable(case.output.strip()[:_PRINTED])}"


def _block(share: float) -> str:
    return _BLOCKS[min(int(share * len(_BLOCKS)), len(_BLOCKS) - 1)]
