"""The scripted expert answers rows of a file of questions."""

from collections.abc import Mapping
from dataclasses import replace

from finetune.questions import Question
from finetune.questions.row import Row
from finetune.trajectories.classroom import Classroom, Shown
from finetune.trajectories.outcome import (
    MISREAD,
    NO_INTENT,
    NOT_AS_MEANT,
    NOTHING_BEFORE,
    SLOT_MISSING,
    UNKNOWN_INTENT,
    Outcome,
    answered,
    failed,
    unanswered,
)
from finetune.trajectories.settings import TrajectorySettings
from finetune.trajectories.slips import Manner
from finetune.trajectories.table import SCRIPTS
from scribe.trajectory import Exchange, Stop, Usage

NAME = "scripted expert"


class Expert:
    """Knows what a row means by its intent; a row without one is a failure with a reason, never a guess."""

    def __init__(self, rooms: Mapping[str, Classroom], settings: TrajectorySettings) -> None:
        self._rooms = rooms
        self._varied = settings.varied
        self._manner = Manner(settings.slips, settings.kinds, explains=True)

    def answer(self, row: Row) -> Outcome:
        """The row's trajectory, or why there is none."""
        question = row.asked
        if question is None:
            return failed(row, NO_INTENT, 'only a model can answer it: set [trajectories] teacher = "api"')
        unknown = [each.intent for each in (question, question.second) if each and each.intent not in SCRIPTS]
        if unknown:
            return failed(row, UNKNOWN_INTENT, f"{unknown[0]}; the expert knows {', '.join(SCRIPTS)}")
        try:
            return self._answered(row, question)
        except KeyError as missing:
            return failed(row, SLOT_MISSING, f"the row's slots do not say which {missing.args[0]} is meant")

    def _answered(self, row: Row, question: Question) -> Outcome:
        room = self._rooms[row.course]
        history = row.history or self._before(room, row, question)
        if history is None or (question.earlier and not history):
            return failed(row, NOTHING_BEFORE, "the question before has no answer")
        leaning = room.leaning(question, history[-1].answer) if history else question
        if leaning is None:
            return failed(row, NOTHING_BEFORE, "the answer before names no behaviour")
        task = room.asked(leaning, row.student, row.theory, history)
        shown = room.show(leaning, task, self._manner, self._varied)
        return self._kept(row, shown)

    def _before(self, room: Classroom, row: Row, question: Question) -> tuple[Exchange, ...] | None:
        """What the expert itself answered to the question before."""
        if question.earlier is None:
            return ()
        first = room.answer(question.earlier, row.student, row.theory)
        return (Exchange(question.earlier.text, first.answer),) if first and first.answer else None

    def _kept(self, row: Row, shown: Shown) -> Outcome:
        # A script takes no time worth telling, and without it the same rows give the same file.
        done = replace(shown.done, usage=Usage())
        if done.stop is not Stop.ANSWERED:
            return unanswered(row, done, done.usage)
        if not shown.meant:
            return failed(row, NOT_AS_MEANT, "a deliberate mistake went through unseen")
        if shown.doubt:
            return failed(row, MISREAD, shown.doubt)
        numbers = {"slips": shown.slips, "way": shown.way}
        told = {name: str(number) for name, number in numbers.items() if number}
        return answered(row, done, {"backend": "teacher", "name": NAME, **told})
