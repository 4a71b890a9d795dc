"""The assistant asked in this process, as benches do it: a written question to its trajectory."""

from collections.abc import Callable, Iterable

from eval.questions import WrittenQuestion
from scribe.backend import Backend
from scribe.streaming import AnswerStream
from scribe.trajectory import Trajectory
from tools.assembly.assistant import assemble_each, find_course
from tools.assembly.settings import AssistantSettings


class QuestionAnswerer:
    """A model and the courses that questions are about, with their search loaded; threads may ask at once.

    Raises UsageError for a course or for settings that cannot be used.
    """

    def __init__(self, settings: AssistantSettings, backend: Backend, questions: Iterable[WrittenQuestion]) -> None:
        courses = [find_course(settings, name) for name in sorted({asked.course for asked in questions})]
        self._assistants = assemble_each(settings, courses, backend)
        for assistant in self._assistants.values():
            assistant.warm()

    def answer(self, asked: WrittenQuestion, show: Callable[[str], None] | None = None) -> Trajectory:
        """The ended trajectory of one question. show: gets each checked sentence of the answer, as the page does.

        Raises BackendError.
        """
        assistant = self._assistants[asked.course]
        agent = assistant.agent(asked.student)
        done = Trajectory(assistant.task(asked.student, asked.question, asked.theory, asked.history))
        while done.stop is None:
            stream = AnswerStream(agent.check, done, show, begun=agent.begun(done)) if show else None
            done = agent.step(done, stream)
        return done
