"""From a question to the script that answers it: one intent's, or two one after the other, in the course's language."""

from collections.abc import Generator
from dataclasses import replace

from finetune.trajectories.behaviour import joined
from finetune.trajectories.moves import Ask, Brief, Result, Say, Script
from finetune.trajectories.table import SCRIPTS
from tools.reading.first_thought import TWO

DECLINED = ("out_of_scope", "other_student")
THEN = "Then the other thing that is asked."


def script(brief: Brief) -> Script:
    """The script of a question, whatever it asks."""
    return _both(brief) if brief.question.second else _one(brief)


def _one(brief: Brief) -> Script:
    return SCRIPTS[brief.question.intent](brief)


def _both(brief: Brief) -> Script:
    """Two questions in one: each by its script, no call made twice; what is declined comes last."""
    question = brief.question
    assert question.second is not None
    parts = [replace(question, second=None), question.second]
    parts.sort(key=lambda part: part.intent in DECLINED)
    known: dict[str, Result] = {}
    first = yield from _remembering(_one(replace(brief, question=parts[0])), known, TWO.strip())
    other = yield from _remembering(_one(replace(brief, question=parts[1])), known, THEN if known else "")
    opening = "" if known else TWO
    thought = f"{opening}{first.thought} {other.thought}"
    return Say(thought, joined([first.answer, other.answer]), joined([first.doubt, other.doubt]))


def _remembering(one: Script, known: dict[str, Result], opening: str) -> Generator[Ask, Result, Say]:
    """The script with `opening` before its first thought; what was asked before is not asked again."""
    try:
        move = next(one)
        while True:
            key = repr((move.tool, sorted(move.arguments.items())))
            if key not in known:
                known[key] = yield replace(move, thought=joined([opening, move.thought]))
                opening = ""
            move = one.send(known[key])
    except StopIteration as end:
        said: Say = end.value
        return said
