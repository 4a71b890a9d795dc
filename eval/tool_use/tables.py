"""The counts as tables: each run's tools (the paper's Table 8), and each run as a whole and in groups."""

from collections.abc import Callable, Mapping, Sequence

from eval.table import Cell, Table
from eval.tool_use import faults, targets
from eval.tool_use.answered import NO_CATEGORY, Answered
from eval.tool_use.usage import Check, ToolUse, count

BRIEF = (
    "run", "course", "category", "language", "questions", "errors", "answered", "calls a question", "valid calls",
    "with a fault", "first tool acceptable", "any tool acceptable", "of", "arguments right", "compared", "grounded",
    "checked", "seconds, median", "tokens read, median",
)  # fmt: skip
HEAD = (
    "questions", "answered", "errors", "calls a question", "no call", "valid calls", "repaired calls", "with a fault",
    "first tool acceptable", "any tool acceptable", "of", "arguments right", "compared", "grounded", "checked",
    "seconds, median", "seconds, p95", "waiting, median", "tokens read, median", "from cache",
    "tokens written, median",
)  # fmt: skip
PERCENT = (
    "answered", "no call", "valid calls", "repaired calls", "with a fault", "first tool acceptable",
    "any tool acceptable", "arguments right", "grounded", "from cache", "share of calls",
)  # fmt: skip
AS_ABOVE = "The columns are those of “Without a judge”."
NOTE = (
    "Errors are ours or the world's; such questions are in no other column, not in “questions” either. Answered: with "
    "an answer that holds. Valid calls: those that the tool took; with a fault: questions in which the model was told "
    "to do a turn again. First tool acceptable: of the questions that --questions names acceptable first tools for "
    "(“of”: how many); any tool acceptable: of the same, those that called one of them at any time, or nothing where "
    "that is acceptable. Arguments right: of the first calls to a tool for which the question requires arguments "
    "(“compared”: how many), those that gave the numbers required, and texts that hold those required. Grounded: of "
    "the answers that could be checked (“checked”: how many), those in which every week, number, feature and topic "
    "stands in the report or in what a tool said. Seconds: of a question, with the wait for a turn where several were "
    "asked at once. Tokens read: of all its prompts together."
)

Rows = Sequence[Answered]


def tools(runs: Mapping[str, Rows], check: Check) -> Table:
    """How often each run called each tool; the shares of a run add up to 1."""
    counted = {name: count(answers, check) for name, answers in runs.items()}
    rows = [
        (name, tool.name, tool.calls, tool.calls / use.calls, tool.refused, tool.questions)
        for name, use in counted.items()
        for tool in use.tools
    ]
    head = ("run", "tool", "calls", "share of calls", "refused", "questions")
    note = (
        "Refused: the tool did not take the arguments, there is no such tool, or another student was asked about. "
        "Questions: in how many it was called at least once."
    )
    return Table("tools", "Tools that were called", head, rows, PERCENT, note)


def whole(runs: Mapping[str, Rows], check: Check) -> Table:
    """Each run in one line."""
    rows = [(name, *_line(count(answers, check))) for name, answers in runs.items()]
    return Table("tool_use", "Without a judge", ("run", *HEAD), rows, PERCENT, NOTE, BRIEF)


def by_course(runs: Mapping[str, Rows], check: Check) -> Table:
    """Each run, course by course."""
    rows = _grouped(runs, check, lambda row: row.course)
    title = "Without a judge, by course"
    return Table("tool_use_by_course", title, ("run", "course", *HEAD), rows, PERCENT, AS_ABOVE, BRIEF)


def by_category(runs: Mapping[str, Rows], check: Check) -> Table:
    """Each run, category by category; the categories come with the questions."""
    rows = _grouped(runs, check, lambda row: row.category)
    title = "Without a judge, by category of question"
    return Table("tool_use_by_category", title, ("run", "category", *HEAD), rows, PERCENT, AS_ABOVE, BRIEF)


def by_language(runs: Mapping[str, Rows], check: Check) -> Table:
    """Each run, language by language; the languages come with the questions."""
    rows = _grouped(runs, check, lambda row: row.language or NO_CATEGORY)
    title = "Without a judge, by language of the question"
    return Table("tool_use_by_language", title, ("run", "language", *HEAD), rows, PERCENT, AS_ABOVE, BRIEF)


def fault_kinds(runs: Mapping[str, Rows], check: Check) -> Table:
    """What went wrong in each run, and how often."""
    kinds = (*faults.SAID.values(), faults.OTHER)
    counted = {name: count(answers, check).faults for name, answers in runs.items()}
    rows: list[tuple[Cell, ...]] = [(name, *(found.get(kind, 0) for kind in kinds)) for name, found in counted.items()]
    note = "A fault is a turn that the model was told to do again; a question can have several."
    return Table("faults", "Faults", ("run", *kinds), rows, note=note)


def every(runs: Mapping[str, Rows], check: Check) -> tuple[Table, ...]:
    """All of the tables above, by language only if any is known; and the shares with their intervals."""
    spoken = any(row.language for answers in runs.values() for row in answers)
    languages = (by_language,) if spoken else ()
    makers = (whole, by_course, by_category, *languages, targets.table, tools, fault_kinds)
    return tuple(make(runs, check) for make in makers)


def _grouped(runs: Mapping[str, Rows], check: Check, key: Callable[[Answered], str]) -> list[tuple[Cell, ...]]:
    return [
        (name, group, *_line(count([row for row in answers if key(row) == group], check)))
        for name, answers in runs.items()
        for group in sorted({key(row) for row in answers})
    ]


def _line(use: ToolUse) -> tuple[Cell, ...]:
    answered = use.answered / use.questions if use.questions else None
    shares = (use.without_call, use.valid, use.coerced, use.faulty, use.first_tool, use.any_tool)
    return (
        use.questions, answered, use.errors, use.per_question, *(share.value for share in shares), use.first_tool.total,
        use.arguments.value, use.arguments.total, use.grounded.value, use.grounded.total,
        use.seconds.median, use.seconds.p95, use.waiting.median,
        use.prompt_tokens.median, use.cached.value, use.completion_tokens.median,
    )  # fmt: skip
