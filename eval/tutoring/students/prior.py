"""What a student knows before a session: components by level, drawn once for a task, a level and a seed."""

import io
import textwrap
import tokenize
from collections.abc import Sequence
from itertools import pairwise
from random import Random

from data.tasks.format import CodingTask
from eval.tutoring.students.student import Level


def draw_prior(task: CodingTask, level: Level, seed: int) -> frozenset[str]:
    """The names of the components that a student knows.

    low: none. medium: half of the dependencies, at random, as in the paper's section 4.1; an odd one is known. high:
    the same half, and the half of the steps that stands closest to the code around the target, which shows it.
    """
    if level == "low":
        return frozenset()
    dependencies = [each.name for each in task.components if each.kind == "dependency"]
    known = Random(f"{task.id} dependencies {seed}").sample(dependencies, (len(dependencies) + 1) // 2)
    return frozenset(known if level == "medium" else (*known, *list_shown_steps(task)))


def list_shown_steps(task: CodingTask) -> tuple[str, ...]:
    """The half of the steps whose code shares most with the package's, the first ones where several do as much.

    Measured by the share of neighbouring pairs of Python's tokens in a part that also stand in the package.
    """
    around = {pair for text in task.package.values() for pair in _list_pairs(text)}
    steps = [each.name for each in task.components if each.kind == "step"]

    def distance(name: str) -> float:
        pairs = _list_pairs(textwrap.dedent(task.part(name)))
        return -sum(pair in around for pair in pairs) / max(1, len(pairs))

    chosen = sorted(steps, key=distance)[: (len(steps) + 1) // 2]
    return tuple(name for name in steps if name in chosen)


def _list_pairs(code: str) -> Sequence[tuple[str, str]]:
    words = list[str]()
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.string.strip() and token.type != tokenize.COMMENT:
                words.append(token.string)
    except (tokenize.TokenError, IndentationError):
        pass  # a part need not be whole Python; what was read of it counts
    return list(pairwise(words))
