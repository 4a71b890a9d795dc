"""A student whose knowledge is known: it decides what they say and which parts of their program are right.

No language model takes part. The program is composed from the task's right and wrong versions of its parts, so tests
decide how good it is; and the true state beside each turn is what a tutor's tracing can be held against.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from data.tasks.format import CodingTask
from eval.tutoring.programs.tester import ProgramTester
from eval.tutoring.students.learning import Listening, TurnFit
from eval.tutoring.students.prior import draw_prior
from eval.tutoring.students.speech import load_speech
from eval.tutoring.students.student import Level, StudentState
from scribe.sandbox.result import CaseResult, SuiteResult
from scribe.tutor.results import write_results
from scribe.tutor.session import StudentTurn, TutoringSession, TutorTurn

SLIP, GUESS = 0.02, 0.5
"""Chances in an attempt, called as in knowledge tracing (Corbett and Anderson 1994): to write a known part wrong, and
an unknown one right, since the task's text says most rules. With these, students of all levels pass before tutoring
about as often as the paper's (21 %, Table 1): with a chance near 0 there would be no outcome rate."""
CLAIM = 0.3
"""Chance to say that one understands when one does not."""
MOST_WORDS = 50
"""Words that a student says, as the paper's prompts ask of theirs (tables 8 to 10)."""


@dataclass(frozen=True, slots=True)
class _Round:
    """What one tutor's turn did to a student: what it treats, what became known of it, and who they are now."""

    fit: TurnFit
    treated: Mapping[str, float]
    learned: tuple[str, ...]
    state: StudentState


class KnowledgeDrivenStudent:
    """A student of one task, level and seed; see `LearningSettings` for how they learn."""

    kind = "knowledge"

    def __init__(
        self, task: CodingTask, level: Level, tester: ProgramTester, listening: Listening, seed: int = 0
    ) -> None:
        self.level: Level = level
        self._task, self._tester, self._listening, self._seed = task, tester, listening, seed

    def begin(self) -> StudentState:
        """What the level knows."""
        return StudentState(self._in_order(draw_prior(self._task, self.level, self._seed)))

    def inform(self) -> StudentState:
        """All components known."""
        return StudentState(tuple(each.name for each in self._task.components), informed=True)

    def reply(self, session: TutoringSession, state: StudentState) -> tuple[StudentTurn, StudentState]:
        """Listen, try the code again, and say what came of it. Raises SandboxMissing."""
        said = session.turns[-1]
        assert isinstance(said, TutorTurn)
        before = self.write_own(state)
        now = self._listen(said.text, session, state)
        code = self.write_own(now.state)
        result = self._tester.examine(self._task, code)
        text, after = self._answer(session, now, result)
        news = code != before or session.rounds == 1
        return StudentTurn(text, code, write_results(map(_settle, result.cases)) if news else ""), after

    def attempt(self, session: TutoringSession, state: StudentState, number: int) -> str:
        """Their own program, but that some unknown parts come right by luck and some known ones wrong by a slip.

        The draws belong to the attempt's number, not to the moment: programs of two moments differ only by knowledge.
        """
        known = set(state.known or ())
        versions = {}
        for name in self._task.wrong:
            luck = self._draw("attempt", str(number), name).random()
            fails = luck < SLIP if name in known else luck >= GUESS
            versions[name] = self._misconceive(name) if fails else 0
        return self._task.compose(versions)

    def write_own(self, state: StudentState) -> str:
        """The program that they show in the dialogue: each unknown part as they wrongly think that it is."""
        known = set(state.known or ())
        return self._task.compose({name: self._misconceive(name) for name in self._task.wrong if name not in known})

    def _listen(self, text: str, session: TutoringSession, state: StudentState) -> _Round:
        fit = self._listening.measure_fit(text, session.brief)
        treated = self._listening.list_treated(fit)
        chances = self._listening.measure_chances(treated, state.asked)
        known = set(state.known or ())
        draw = {name: self._draw("learn", self.level, str(session.rounds), name).random() for name in chances}
        learned = self._in_order({name for name in chances if name not in known and draw[name] < chances[name]})
        return _Round(fit, treated, learned, replace(state, known=self._in_order({*known, *learned}), asked=""))

    def _answer(self, session: TutoringSession, now: _Round, result: SuiteResult) -> tuple[str, StudentState]:
        """At most three short sentences: on what was said, on the tests, and a question."""
        brief, speech = session.brief, load_speech(session.brief.language)
        components = {each.name: each for each in brief.components}
        draw = self._draw("speech", self.level, str(session.rounds))
        act, name = self._react(draw, now)
        said = [speech.say(draw, "greet")] if session.rounds == 1 else []
        if act != "react" or not said:
            said.append(speech.say(draw, act, component=components.get(name)))
        asked = name if act == "unsure" else ""
        if result.passed:
            said.append(speech.say(draw, "passes"))
        elif asked:
            said.append(speech.say(draw, "fails", result.failed_names[0]))
        else:
            asked = self._choose_question(now.state, result)
            said.append(speech.say(draw, "ask" if asked else "lost", self._find_test(asked, result)))
        kept = _shorten(said)
        if len(kept) < len(said) and act != "unsure":
            asked = ""  # the question was one sentence too many
        named = self._in_order({*now.state.named, asked, name} - {""})
        return " ".join(kept), replace(now.state, asked=asked, named=named)

    def _react(self, draw: Random, now: _Round) -> tuple[str, str]:
        """The act with which to answer the tutor, and the component that it is about."""
        if now.learned:
            return "repeat", now.learned[0]
        known = set(now.state.known or ())
        missed = [name for name in self._in_order(set(now.treated)) if name not in known]
        if missed:
            return ("claim", "") if draw.random() < CLAIM else ("unsure", missed[0])
        recalled = [name for name in self._in_order(known) if now.fit.asked[name] >= self._listening.settings.treated]
        unknown = [name for name, fit in now.fit.asked.items() if fit >= self._listening.settings.treated]
        if recalled:
            return "recall", recalled[0]
        return ("unsure", unknown[0]) if unknown else ("react", "")

    def _choose_question(self, state: StudentState, result: SuiteResult) -> str:
        """The first unknown component whose mistake alone fails a test that fails now; else nothing to ask about."""
        failed = set(result.failed_names)
        return next((name for name in self._list_unknown(state) if failed & self._list_caught(name)), "")

    def _find_test(self, name: str, result: SuiteResult) -> str:
        return next((test for test in result.failed_names if name and test in self._list_caught(name)), "")

    def _list_unknown(self, state: StudentState) -> Iterator[str]:
        return (each.name for each in self._task.components if each.name not in (state.known or ()))

    def _list_caught(self, name: str) -> set[str]:
        """The tests that fail for their mistake in one part if all else is right."""
        code = self._task.compose({name: self._misconceive(name)})
        return set(self._tester.examine(self._task, code).failed_names)

    def _misconceive(self, name: str) -> int:
        """Which wrong version of a part they hold to be right; the same at each level."""
        return self._draw("mistake", name).randint(1, len(self._task.wrong[name]))

    def _in_order(self, names: set[str] | frozenset[str]) -> tuple[str, ...]:
        return tuple(each.name for each in self._task.components if each.name in names)

    def _draw(self, *what: str) -> Random:
        """A source of chance of its own for each purpose, so that one more draw here changes none there."""
        return Random(" ".join((self._task.id, str(self._seed), *what)))


def _settle(case: CaseResult) -> CaseResult:
    """A test whose program met a limit, as told whichever it met first: that depends on how busy the machine is."""
    return case if case.reason in ("passed", "failed", "error") else replace(case, reason="timeout", message="")


def _shorten(sentences: list[str]) -> list[str]:
    """The sentences without those at the end that would be too many words."""
    kept = list[str]()
    for sentence in sentences:
        if kept and sum(len(each.split()) for each in (*kept, sentence)) > MOST_WORDS:
            break
        kept.append(sentence)
    return kept
