"""Mistakes that the expert makes on purpose, so that its pupil sees how one recovers."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from finetune.trajectories.moves import Ask, Move, Say, write
from scribe.messages import END_OF_REASONING, TOOL_CALL


@dataclass(frozen=True, slots=True)
class Slip:
    """A faulty turn, and how the expert begins when it puts it right (empty: as if nothing had been)."""

    text: str
    remedy: str


OPTIONAL = frozenset({("sort_student_features_with_importance", "week")})
"""Arguments that may be left out though the expert gives them alone: to leave them out is no mistake."""

Slipping = Callable[[Move, random.Random], Slip | None]
"""From what the expert means to do to how it goes wrong; None if this mistake cannot be made of it."""


def unknown_tool(move: Move, draw: random.Random) -> Slip | None:
    """A tool that does not exist."""
    if isinstance(move, Say):
        return None
    wrong = move.tool.replace("get_", "").replace("_", "-")
    return Slip(write(Ask(move.thought, wrong, move.arguments)), f"The tool is called {move.tool}.")


def wrong_number(move: Move, draw: random.Random) -> Slip | None:
    """An answer with a number out of thin air."""
    numbers = list(re.finditer(r"\d+", move.answer)) if isinstance(move, Say) else []
    if isinstance(move, Ask) or not numbers:
        return None
    spot = draw.choice(numbers)
    wrong = str(int(spot.group()) + draw.choice((1, 2, 7, 30)))
    text = write(Say(move.thought, move.answer[: spot.start()] + wrong + move.answer[spot.end() :]))
    return Slip(text, "I copied a number wrongly, so I take it from the result again.")


def missing_argument(move: Move, draw: random.Random) -> Slip | None:
    """A call without the argument that it needs; where there are two, one can be left out."""
    if isinstance(move, Say) or len(move.arguments) != 1:
        return None
    (left_out,) = move.arguments
    if (move.tool, left_out) in OPTIONAL:
        return None
    return Slip(write(Ask(move.thought, move.tool, {})), f"I left out the argument {left_out}.")


def broken_call(move: Move, draw: random.Random) -> Slip | None:
    """A call whose JSON breaks off."""
    if isinstance(move, Say):
        return None
    head, call = write(move).split(TOOL_CALL, 1)
    return Slip(f"{head}{TOOL_CALL}{call[: call.rindex('}') - 1]}", "My call was not whole, so I write it again.")


def neither(move: Move, draw: random.Random) -> Slip | None:
    """Reasoning, and then neither a call nor an answer."""
    remedy = "I stopped too early; a call follows." if isinstance(move, Ask) else "I stopped too early; I answer now."
    return Slip(f" {move.thought} {END_OF_REASONING}\n", remedy)


KINDS: dict[str, Slipping] = {
    "unknown_tool": unknown_tool,
    "wrong_number": wrong_number,
    "missing_argument": missing_argument,
    "broken_call": broken_call,
    "neither": neither,
}
"""Every mistake by its name."""
FIRST = ("unknown_tool", "wrong_number")
"""Those that the embedded model's lessons show."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How often the expert slips (a chance at each move), in which ways, and whether it says what was wrong."""

    chance: float = 0.0
    kinds: tuple[str, ...] = FIRST
    explains: bool = False

    def slip(self, move: Move, draw: random.Random) -> Slip | None:
        """A faulty turn instead of this move, now and then."""
        if draw.random() >= self.chance:
            return None
        made = [slip for kind in self.kinds if (slip := KINDS[kind](move, draw))]
        return draw.choice(made) if made else None


FLAWLESS = Manner()
