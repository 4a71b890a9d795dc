"""Dialogues as far as their writer has come: played back from all responses, and what to ask next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from data.tasks.brief import make_brief
from data.tasks.format import CodingTask
from data.tasks.reading import TASKS, find_task
from eval.tutoring.programs.tester import ProgramTester
from eval.tutoring.protocol.moderator import TestsModerator
from eval.tutoring.students.knowledge_driven import KnowledgeDrivenStudent
from eval.tutoring.students.learning import Listening
from finetune.conversations.writer_files import Prompt
from finetune.tutoring.plan import PlannedDialogue
from finetune.tutoring.turn_check import RefusedTurn, make_guard, read_turn
from scribe.plumbing.progress import OnCount
from scribe.tutor.prompting import write_prompt
from scribe.tutor.session import MAX_ROUNDS, TutoringSession

MOST_REFUSALS = 4
"""Refusals of one turn after which the dialogue is given up."""
DialogueEnd = Literal["passed", "rounds", "refused"]


@dataclass(frozen=True, slots=True)
class PlayedDialogue:
    """A dialogue that has ended. before, after: how many tests the student's own program passes."""

    plan: PlannedDialogue
    session: TutoringSession
    end: DialogueEnd
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn that the writer is to say. complaint: why the last one was refused, empty if none was."""

    id: str
    plan: PlannedDialogue
    session: TutoringSession
    complaint: str = ""

    @property
    def prompt(self) -> Prompt:
        """The messages that a tutor's model reads when it runs, and the complaint."""
        asked = (f"(Your turn was not said to the student. {self.complaint} Say it anew.)",) if self.complaint else ()
        return [{"role": each.role, "content": each.content} for each in write_prompt(self.session, asked=asked)]


class DialoguePlayer:
    """Plays dialogues back. tester: keeps what programs did, so that nothing is run twice."""

    def __init__(self, tester: ProgramTester, listening: Listening, tasks: Path = TASKS) -> None:
        self._tester, self._listening, self._folder = tester, listening, tasks
        self._tasks: dict[str, CodingTask] = {}

    def play_all(
        self, planned: Sequence[PlannedDialogue], turns: Mapping[str, str], on_count: OnCount
    ) -> tuple[list[PlayedDialogue], list[OpenTurn]]:
        """The ended dialogues and the open turns, in the plan's order. Raises BrokenTask or SandboxMissing."""
        ended, waiting = list[PlayedDialogue](), list[OpenTurn]()
        for number, each in enumerate(planned, start=1):
            played = self.play(each, turns)
            if isinstance(played, OpenTurn):
                waiting.append(played)
            else:
                ended.append(played)
            on_count(number, len(planned))
        return ended, waiting

    def play(self, plan: PlannedDialogue, turns: Mapping[str, str]) -> PlayedDialogue | OpenTurn:
        """One dialogue. turns: the writer's raw text by turn id, `DIALOGUE#ROUND.TRY`, the first try being 1."""
        if plan.task not in self._tasks:
            self._tasks[plan.task] = find_task(plan.task, self._folder)
        task = self._tasks[plan.task]
        student = KnowledgeDrivenStudent(task, plan.level, self._tester, self._listening, plan.seed)
        moderator, guard = TestsModerator(task, self._tester), make_guard(task)
        session, state = TutoringSession(make_brief(task, plan.language)), student.begin()
        end: DialogueEnd = "rounds"
        tries, complaint = 1, ""
        while session.rounds < MAX_ROUNDS:
            id = f"{plan.id}#{session.rounds + 1}.{tries}"
            if id not in turns:
                return OpenTurn(id, plan, session, complaint)
            try:
                heard = session.then(read_turn(turns[id], session, guard))
            except RefusedTurn as refusal:
                tries, complaint = tries + 1, str(refusal)
                if tries > MOST_REFUSALS:
                    end = "refused"
                    break
                continue
            turn, state = student.reply(heard, state)
            session, tries, complaint = heard.then(turn), 1, ""
            if moderator.judge(session).reached:
                end = "passed"
                break
        before, after = (self._count(task, student.write_own(each)) for each in (student.begin(), state))
        return PlayedDialogue(plan, session, end, before, after)

    def _count(self, task: CodingTask, code: str) -> int:
        return sum(case.passed for case in self._tester.examine(task, code).cases)
