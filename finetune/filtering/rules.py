"""The checks of a trajectory: tools, support, mistakes, calls, lengths, and a judge's verdicts where there are some."""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.judge import rubric
from eval.judge.judgement import LOCAL, Judgement, digest_answer, read_judgements
from finetune.settings import FilterSettings
from scribe.decoding.chat import ChatTokenizer
from scribe.grounding import Grounding
from scribe.plumbing.errors import UsageError
from scribe.records import Record
from scribe.trajectory import Act, Call, Observation, Stop, Trajectory
from scribe.transcript import to_messages
from tools.conversation import WEB

TAUGHT = frozenset(
    (
        "map_week_to_topic",
        "get_dependant_topics",
        "get_course_syllabus",
        "textbook_search",
        "exercise_search",
        "grade_calculator",
        "sort_student_features_with_importance",
        "get_feature_description",
        "impact_of_student_behaviors",
    )
)
"""The tools that a model is trained with."""

UNANSWERED = "unanswered"
OUTSIDE = "tool outside the training"
UNSUPPORTED = "unsupported claim"
NEEDLESS_FAULT = "needless fault"
NEEDLESS_CALL = "needless call"
TOO_LONG = "too long"
ANSWER_TOO_SHORT = "answer too short"
ANSWER_TOO_LONG = "answer too long"
NOT_JUDGED = "not judged"
UNREADABLE = "verdict unreadable"
JUDGED_NO = "judged NO: {criterion}"


@dataclass(frozen=True, slots=True)
class Drop:
    """Why a trajectory is dropped."""

    reason: str
    """A few words that are counted."""
    detail: str = ""
    """What exactly is wrong with this one."""


Check = Callable[[Record], Drop | None]
"""Why a record is dropped, or None if this check finds nothing wrong."""


def check_answered(record: Record) -> Drop | None:
    """Whether it ended with an answer."""
    return None if record.stop is Stop.ANSWERED and record.answer else Drop(UNANSWERED, str(record.stop))


def check_tools(record: Record) -> Drop | None:
    """Whether no tool but the taught ones answered, and the one kept unseen was not even asked for.

    A wrong name that was put right passes: it is read as a mistake, never learned.
    """
    odd = {
        call.name
        for call, seen in _list_calls(record)
        if call.name not in TAUGHT and (seen.ok or call.name.strip().casefold() == WEB)
    }
    return Drop(OUTSIDE, ", ".join(sorted(odd))) if odd else None


def check_support(record: Record, find_check: Callable[[str], Grounding]) -> Drop | None:
    """Whether all that the answer names stands in the report or in what tools said. find_check: by course."""
    before = Trajectory(record.task, record.steps[:-1])
    claims = find_check(record.task.course)(before, record.answer or "")
    return Drop(UNSUPPORTED, ", ".join(claims)) if claims else None


def check_repeats(record: Record) -> Drop | None:
    """Whether no call was made twice with success."""
    calls = [
        json.dumps([call.name, dict(call.arguments)], sort_keys=True) for call, seen in _list_calls(record) if seen.ok
    ]
    if twice := sorted({call for call in calls if calls.count(call) > 1}):
        return Drop(NEEDLESS_CALL, f"made twice: {twice[0]}")
    return None


def check_mistakes(record: Record, most: int) -> Drop | None:
    """Whether at most so many turns went wrong."""
    mistakes = len(record.trajectory.faults) + sum(not seen.ok for _, seen in _list_calls(record))
    return Drop(NEEDLESS_FAULT, f"{mistakes} beyond {most}") if mistakes > most else None


def check_lengths(
    record: Record, settings: FilterSettings, chat: ChatTokenizer, list_tools: Callable[[str], str]
) -> Drop | None:
    """Whether answer and conversation have the tokens that the settings want. list_tools: by course."""
    answer = len(chat.encode(record.answer or "", False))
    if answer < settings.min_answer_length:
        return Drop(ANSWER_TOO_SHORT, f"{answer} tokens, at least {settings.min_answer_length}")
    if settings.max_answer_length and answer > settings.max_answer_length:
        return Drop(ANSWER_TOO_LONG, f"{answer} tokens, at most {settings.max_answer_length}")
    if not settings.max_length:
        return None
    messages = to_messages(record.trajectory, list_tools(record.task.course))
    tokens = sum(len(ids) for ids, _ in chat.labelled(messages))
    return Drop(TOO_LONG, f"{tokens} tokens, at most {settings.max_length}") if tokens > settings.max_length else None


def _list_calls(record: Record) -> list[tuple[Call, Observation]]:
    acts = [step for step in record.steps if isinstance(step, Act)]
    return [pair for act in acts for pair in zip(act.calls, act.observations, strict=True)]


def load_verdicts(path: Path, run: str, settings: FilterSettings) -> Check:
    """The check by the verdicts of a file on the trajectories of the file `run`, by its name without the ending.

    Each of a criterion's repeats must be YES; verdicts on a text that has changed since are none, and the checks
    without a model never count as a judge. Raises RecordError naming file and line, UsageError where it is not clear
    which judge's or which run's verdicts are meant, or a criterion is none.
    """
    criteria = tuple(each.id for each in rubric.load(wanted=settings.criteria))
    lines = [each for each in read_judgements(path) if each.judge != LOCAL]
    if not lines:
        raise UsageError(f"{path} holds no verdict of a judge; `scribe judge` writes them, and --local is none")
    verdicts: dict[tuple[str, str, str], set[bool | None]] = defaultdict(set)
    for each in _choose_lines(lines, path, run, settings.judge):
        verdicts[each.answer, each.of, each.criterion].add(each.value)

    def check(record: Record) -> Drop | None:
        text = digest_answer(record)
        found = {criterion: verdicts.get((record.id, text, criterion), set()) for criterion in criteria}
        if missing := [criterion for criterion, values in found.items() if not values]:
            return Drop(NOT_JUDGED, ", ".join(missing))
        if refused := [criterion for criterion, values in found.items() if False in values]:
            return Drop(JUDGED_NO.format(criterion=refused[0]), ", ".join(refused))
        unread = [criterion for criterion, values in found.items() if None in values]
        return Drop(UNREADABLE, ", ".join(unread)) if unread else None

    return check


def _choose_lines(lines: Sequence[Judgement], path: Path, run: str, judge: str) -> list[Judgement]:
    judges, runs = sorted({each.judge for each in lines}), sorted({each.run for each in lines})
    if judge and judge not in judges:
        raise UsageError(f"{path} has no verdict of {judge!r}; it has those of {', '.join(judges)}")
    if not judge and len(judges) > 1:
        raise UsageError(f"{path} has verdicts of {', '.join(judges)}; name one with [filter] judge")
    if len(runs) > 1 and run not in runs:
        raise UsageError(f"{path} is on {', '.join(runs)}, of which none is called {run}; judge these trajectories")
    chosen, whose = run if run in runs else runs[0], judge or judges[0]
    return [each for each in lines if each.run == chosen and each.judge == whose]
