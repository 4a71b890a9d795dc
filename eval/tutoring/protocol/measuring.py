"""From a session's key to its record: the task, the student, the moderator and the tutor that belong to it."""

import threading
from collections.abc import Mapping
from pathlib import Path

from data.tasks.brief import make_brief
from data.tasks.format import CodingTask
from data.tasks.reading import TASKS, find_task
from eval.tutoring.programs.component_tests import name_tests
from eval.tutoring.programs.tester import ProgramTester
from eval.tutoring.protocol.informed import InformedTutor
from eval.tutoring.protocol.moderator import ModelModerator, Moderator, TestsModerator
from eval.tutoring.protocol.plan import ORACLE, MeasurementPlan
from eval.tutoring.protocol.record import MeasuredSession, SessionKey
from eval.tutoring.protocol.session import measure_session
from eval.tutoring.students.knowledge_driven import KnowledgeDrivenStudent
from eval.tutoring.students.language_model import LanguageModelStudent
from eval.tutoring.students.learning import Listening
from eval.tutoring.students.student import TutoredStudent
from scribe.backend import Backend
from scribe.plumbing.errors import UsageError
from scribe.tutor.session import TaskBrief, Tutor


class SessionMeasurer:
    """Measures sessions of a plan; threads may ask at once.

    tutors: by name, but for the oracle. backend: of students and moderator where a language model plays them. tasks:
    the folder with the tasks. Raises UsageError for a plan that lacks one of them.
    """

    def __init__(
        self,
        plan: MeasurementPlan,
        tutors: Mapping[str, Tutor | InformedTutor],
        tester: ProgramTester,
        listening: Listening,
        backend: Backend | None = None,
        tasks: Path = TASKS,
    ) -> None:
        missing = [name for name in plan.tutors if name != ORACLE and name not in tutors]
        if missing:
            raise UsageError(f"there is no tutor {missing[0]!r} to be measured")
        if plan.students == "model" and backend is None:
            raise UsageError("students played by a language model need one")
        self._plan, self._tutors, self._backend = plan, tutors, backend
        self._tester, self._listening, self._folder = tester, listening, tasks
        self._known: dict[str, tuple[CodingTask, TaskBrief]] = {}
        self._locks = {name: threading.Lock() for name in plan.tasks}

    def measure(self, key: SessionKey) -> MeasuredSession:
        """The record of one session. Raises BackendError, BrokenTask or SandboxMissing."""
        task, brief = self._open(key.task)
        student, moderator = self._choose_student(key, task)
        tutor = None if key.tutor == ORACLE else self._tutors[key.tutor]
        if isinstance(tutor, InformedTutor):
            tutor = tutor.open_for(student, self._listening)
        limits = self._plan.attempts, self._plan.rounds
        return measure_session(key, task, brief, tutor, student, moderator, self._tester, *limits)

    def _choose_student(self, key: SessionKey, task: CodingTask) -> tuple[TutoredStudent, Moderator]:
        """Tests moderate the students that always show a program, a language model those that it plays itself."""
        if self._plan.students == "knowledge":
            student = KnowledgeDrivenStudent(task, key.level, self._tester, self._listening, key.seed)
            return student, TestsModerator(task, self._tester)
        assert self._backend is not None
        played = LanguageModelStudent(task, key.level, self._backend, key.seed)
        return played, ModelModerator(self._backend, key.seed)

    def _open(self, name: str) -> tuple[CodingTask, TaskBrief]:
        """A task and its brief, made by the first who asks while others wait."""
        with self._locks[name]:
            if name not in self._known:
                task = find_task(name, self._folder)
                brief = name_tests(make_brief(task, self._plan.language), task, self._tester)
                self._known[name] = task, brief
            return self._known[name]
