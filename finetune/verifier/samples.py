"""What the verifier learns from: a sample for each tutor's turn, and folds that keep a task together."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finetune.verifier.dialogues import TaughtDialogue
from finetune.verifier.reward import reward_dialogue
from scribe.plumbing.errors import UsageError
from scribe.verify.verifier_input import VerifierInput, write_verifier_input

FOLDS = 5


@dataclass(frozen=True, slots=True)
class TurnSample:
    """A tutor's turn: what the verifier reads of it, and the reward that it should foretell.

    dialogue: its number, which no two dialogues share; turn: from 1; text: what the tutor said, for baselines.
    """

    dialogue: int
    task: str
    level: str
    turn: int
    success: bool
    reward: float
    given: VerifierInput
    text: str


def make_samples(dialogues: Iterable[TaughtDialogue]) -> list[TurnSample]:
    """The turns of all dialogues, dialogue by dialogue."""
    return [sample for number, dialogue in enumerate(dialogues) for sample in _list_turns(number, dialogue)]


def balance_outcomes(dialogues: Sequence[TaughtDialogue]) -> frozenset[int]:
    """The numbers of as many successes as failures of each task and level, the first of each.

    The authors balance turns over all tasks; then what tells a success is above all which tasks are easy.
    """
    groups: dict[tuple[str, str], tuple[list[int], list[int]]] = {}
    for number, each in enumerate(dialogues):
        groups.setdefault((each.key.task, each.key.level), ([], []))[each.success].append(number)
    chosen = [kind[: min(map(len, both))] for both in groups.values() for kind in both]
    return frozenset(number for part in chosen for number in part)


def _list_turns(number: int, dialogue: TaughtDialogue) -> list[TurnSample]:
    key, said = dialogue.key, dialogue.whole.turns[::2]
    rewards = reward_dialogue(dialogue.success, len(said))
    return [
        TurnSample(
            number,
            key.task,
            key.level,
            at + 1,
            dialogue.success,
            reward,
            write_verifier_input(dialogue.before(at), turn.text),
            turn.text,
        )
        for at, (turn, reward) in enumerate(zip(said, rewards, strict=True))
    ]


def assign_folds(tasks: Iterable[str], folds: int = FOLDS) -> dict[str, int]:
    """A fold from 0 for each task, as even as can be, by the hash of its name: the same tasks give the same folds.

    Raises UsageError where there are fewer tasks than folds.
    """
    ordered = sorted(set(tasks), key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    if len(ordered) < folds:
        raise UsageError(f"{len(ordered)} tasks cannot be split into {folds} folds; measure more, or give --folds")
    return {name: place % folds for place, name in enumerate(ordered)}


def list_folds(tasks: Sequence[str], folds: int = FOLDS) -> list[int]:
    """The fold of each row by the task that it belongs to. Raises UsageError."""
    assigned = assign_folds(tasks, folds)
    return [assigned[name] for name in tasks]
