"""What the tests said and what the tutor believes, as HTML; nothing of it is taken for markup."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from data.tasks.format import CodingTask, locate
from scribe.sandbox.result import CaseResult, SuiteResult
from scribe.tutor.session import TaskBrief

PRINTED = 600
"""Characters shown of what a test prints."""
_SAVED = re.compile(r"^test_(?P<name>\w+): (?P<said>passed|failed)(?: \((?P<why>.*)\))?$", re.MULTILINE)
_PLACE = re.compile(r" ?\((?P<file>[\w/]+\.py), (?P<line>\d+)\)$")
_LEVELS = ((0.7, "yes"), (0.4, "maybe"), (0.0, "no"))
"""From which probability on something is told as known."""


@dataclass(frozen=True, slots=True)
class ShownCase:
    """One test as a person reads it. lines: pairs of what it is and what it says."""

    name: str
    passed: bool
    lines: tuple[tuple[str, str], ...] = ()


def read_suite(result: SuiteResult, task: CodingTask, say: Mapping[str, Any]) -> list[ShownCase]:
    """What a run said."""
    return [ShownCase(_name(case.name), case.passed, tuple(_explain(case, task, say))) for case in result.cases]


def read_saved(text: str, say: Mapping[str, Any]) -> list[ShownCase]:
    """What an earlier run said, as `scribe.tutor.results` keeps it."""
    found = (match.groupdict(default="") for match in _SAVED.finditer(text))
    return [
        ShownCase(_name(each["name"]), each["said"] == "passed", ((say["error"], each["why"]),) if each["why"] else ())
        for each in found
    ]


def summarise(cases: Sequence[ShownCase], say: Mapping[str, Any]) -> str:
    """How many pass."""
    passed, count = sum(case.passed for case in cases), len(cases)
    words = "all_passed" if passed == count else "some_passed" if passed else "none_passed"
    return str(say[words].format(passed=passed, all=count))


def write_cases(cases: Sequence[ShownCase], say: Mapping[str, Any], earlier: bool = False) -> str:
    """A line for each test, below it what is wrong. earlier: whether the code may have changed since."""
    reasons, same = [case.lines for case in cases if not case.passed], ""
    if len(reasons) > 1 and reasons[0] and len(set(reasons)) == 1:  # as of a slip of the pen, which no test gets past
        same = f'<div class="same"><p>{escape(say["same"])}</p>{_write_lines(reasons[0])}</div>'
        cases = [ShownCase(case.name, case.passed) for case in cases]
    rows = "".join(_write_case(case, say) for case in cases)
    note = f'<p class="note">{escape(say["changed"])}</p>' if earlier else ""
    return f'{same}<ul class="cases" aria-label="{escape(say["results"])}">{rows}</ul>{note}' if rows else ""


def write_progress_line(brief: TaskBrief, belief: Mapping[str, float], say: Mapping[str, Any]) -> str:
    """A line with a mark for each component, and in words how many are probably known."""
    levels = {each.name: _find_level(belief.get(each.name, 0.0)) for each in brief.components}
    marks = "".join(
        f'<li class="{level}" title="{escape(told)}"><span class="unseen">{escape(told)}</span></li>'
        for name, level in levels.items()
        for told in [f"{_name(name)}: {say[f'level_{level}']}"]
    )
    known = say["progress_count"].format(known=list(levels.values()).count("yes"), all=len(levels))
    return f'<p>{escape(say["progress"])}: <b>{known}</b></p><ul class="marks">{marks}</ul>'


def _write_case(case: ShownCase, say: Mapping[str, Any]) -> str:
    sign, word = ("✓", "passed") if case.passed else ("✗", "failed")
    # The names of tests are English whatever the page is.
    name = f'<span class="sign" aria-hidden="true">{sign}</span> <span lang="en">{escape(case.name)}</span>'
    told = f'<span class="unseen">– {escape(say[word])}</span>'
    return f'<li class="{word}"><p>{name} {told}</p>{_write_lines(case.lines)}</li>'


def _write_lines(lines: Sequence[tuple[str, str]]) -> str:
    told = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in lines)
    return f"<dl>{told}</dl>" if told else ""


def _explain(case: CaseResult, task: CodingTask, say: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if case.passed:
        return
    first, _, values = case.message.partition("\n")
    if case.reason == "failed" and first.startswith("assert "):
        yield say["expected"], first.removeprefix("assert ")
        if values:
            yield say["values"], values
    elif case.reason in ("failed", "error") and case.message:
        yield say["error"], _name_line(case.message, task, say)
    else:
        yield say["error"], say[f"reason_{case.reason}"]
    if case.output.strip():
        yield say["printed"], case.output.strip()[:PRINTED]


def _name_line(message: str, task: CodingTask, say: Mapping[str, Any]) -> str:
    """The message with the line counted as the editor counts it, if it is in the student's function."""
    place = _PLACE.search(message)
    if place is None or place["file"] != task.target_file:
        return message
    first, _, _ = locate(task.package[task.target_file], task.target_name)
    line = int(place["line"]) - first
    return f"{message[: place.start()]} ({say['line'].format(line=line)})" if line > 0 else message


def _find_level(share: float) -> str:
    return next(level for least, level in _LEVELS if share >= least)


def _name(name: str) -> str:
    return name.removeprefix("test_").replace("_", " ").replace("-", " ")
