"""The loop: a pure step from one trajectory to the next, repeated until it ends."""

import json
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

from scribe import prompts
from scribe.backend import Backend, Branch, Completion, Constraint, OnText, Sampling
from scribe.dialect import Calls, Dialect, Final, Malformed, MarkerDialect
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, OPENER, Message
from scribe.plumbing.errors import ContextFull
from scribe.quotes import find_misquoted, quotable
from scribe.streaming import Check, cut_to_sentences, find_answer, list_prefixes
from scribe.tool import Toolbox
from scribe.trajectory import Act, Answer, Call, Fault, Observation, Step, Stop, Trajectory, Usage
from scribe.transcript import to_messages

SECOND_TRY = 0.6
"""The temperature at least of a turn that follows a fault."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a question ends without an answer, and when the model must stop calling tools.

    steps: turns of the model for one question. faults: turns that may go wrong. repeats: how often the same call may
    be made before it gives the earlier result with a reminder; after two of these only an answer is possible. calls:
    the most in one turn. redraws: how often a faulty turn, or its faulty sentence, is drawn anew before the model is
    told. A fault behind sentences that stand counts neither as a step nor as a fault.
    """

    steps: int = 8
    faults: int = 3
    repeats: int = 1
    calls: int = 4
    redraws: int = 2


@dataclass(frozen=True, slots=True)
class Agent:
    """A model, a student's tools, and the rules of the walk.

    goes_on: whether the backend can go on with a turn that has begun, as models in this process can. Then the sentences
    before the first unsupported one stay, and only what follows is drawn anew. by_heart: whether the model knows rules
    and tools from its training, so that its prompt leaves them out.
    """

    backend: Backend
    toolbox: Toolbox
    check: Check
    dialect: Dialect = field(default_factory=MarkerDialect)
    limits: Limits = Limits()
    sampling: Sampling = Sampling()
    goes_on: bool = False
    by_heart: bool = False

    @property
    def listing(self) -> str:
        """The tools as the model's prompt lists them; empty for one that knows them by heart."""
        return "" if self.by_heart else self.toolbox.listing

    def step(self, trajectory: Trajectory, on_text: OnText | None = None) -> Trajectory:
        """The trajectory one turn later, or the same one if it has ended."""
        if trajectory.stop is not None:
            return trajectory
        started = time.perf_counter()
        allow = self._open_branches(trajectory)
        begun = self.begun(trajectory)
        prompt = to_messages(trajectory, self.listing)
        prompt += (Message("assistant", OPENER + begun, open=True),) if begun else ()
        # A model that may quote before its first call reads the report instead of calling.
        lines = tuple(line.text for line in quotable(trajectory)) if trajectory.acts else ()
        constraint = Constraint(self.toolbox.schemas, allow, begun, lines)
        try:
            said = self.backend.complete(prompt, self._drawing(trajectory), constraint, on_text, _owner(trajectory))
        except ContextFull:
            standing = self._as_far_as_it_stands(OPENER + begun) if begun else None
            return trajectory.then(standing).ended(Stop.ANSWERED) if standing else trajectory.ended(Stop.CONTEXT_FULL)
        if said.finish == "cancelled":
            return trajectory.ended(Stop.CANCELLED)
        step = self._judged(trajectory, replace(said, text=begun + said.text), allow)
        tokens, seconds = (
            (said.prompt_tokens, said.cached_tokens, said.completion_tokens),
            time.perf_counter() - started,
        )
        return self._settled(trajectory.then(step, Usage(*tokens, round(seconds, 3), round(said.queue_seconds, 3))))

    def begun(self, trajectory: Trajectory) -> str:
        """What of the last turn, behind the opener, the next one goes on with; empty if it begins anew."""
        last = trajectory.steps[-1] if trajectory.steps else None
        return last.standing.removeprefix(OPENER) if isinstance(last, Fault) else ""

    def walk(self, trajectory: Trajectory, on_text: OnText | None = None) -> Iterator[Trajectory]:
        """Each trajectory on the way, the ended one last."""
        while trajectory.stop is None:
            trajectory = self.step(trajectory, on_text)
            yield trajectory

    def run(self, trajectory: Trajectory) -> Trajectory:
        """The ended trajectory."""
        return next(iter(deque(self.walk(trajectory), maxlen=1)), trajectory)

    def _drawing(self, trajectory: Trajectory) -> Sampling:
        """How to draw the next turn: after a fault with some chance, since the likeliest turn was just refused.

        The last draft of a sentence may hold figures that the model is not certain of; the check still reads them.
        """
        last = trajectory.steps[-1] if trajectory.steps else None
        if not isinstance(last, Fault):
            return self.sampling
        seed = self.sampling.seed + len(trajectory.faults)
        certainty = self.sampling.certainty if _drafts(trajectory, last.standing) < self.limits.redraws else 0.0
        warmth = max(self.sampling.temperature, SECOND_TRY)
        return replace(self.sampling, temperature=warmth, seed=seed, certainty=certainty)

    def _open_branches(self, trajectory: Trajectory) -> frozenset[Branch]:
        """What the next turn may be: only an answer on the last step or after a call made too often."""
        calls = [_key(call) for act in trajectory.acts for call in act.calls]
        worn_out = any(calls.count(key) > self.limits.repeats + 1 for key in calls)
        last_step = len(_counted(trajectory)) >= self.limits.steps - 1
        return frozenset({"answer"}) if worn_out or last_step else frozenset({"call", "answer"})

    def _judged(self, trajectory: Trajectory, said: Completion, allow: frozenset[Branch]) -> Act | Fault | Answer:
        """The step that this turn is."""
        repeated = said.text.lstrip().startswith(OPENER)
        raw = OPENER + (said.text.lstrip().removeprefix(OPENER) if repeated else said.text)
        if said.finish in ("circle", "unsure"):
            return self._faulty(trajectory, raw, prompts.notice(said.finish))
        if said.finish == "length":
            return self._faulty(trajectory, raw, prompts.notice("cut_off", tokens=self.sampling.max_tokens))
        match self.dialect.read(raw):
            case Malformed(complaint):
                return self._faulty(trajectory, raw, prompts.notice("malformed", complaint=complaint))
            case Calls() if "call" not in allow:
                return self._faulty(trajectory, raw, prompts.notice("answer_now"))
            case Calls(thought, calls):
                # The same call twice in one turn is one call, and a turn has only so many.
                calls = tuple({_key(call): call for call in calls}.values())[: self.limits.calls]
                return Act(thought, calls, tuple(self._observed(trajectory, call) for call in calls))
            case Final(thought, text):
                if wrong := find_misquoted(trajectory, thought):
                    return self._faulty(trajectory, raw, prompts.notice("misquoted", quote=wrong[0]))
                if claims := self.check(trajectory, text):
                    return self._faulty(trajectory, raw, prompts.notice("unsupported", claims=", ".join(claims)))
                return Answer(thought, text)

    def _faulty(self, trajectory: Trajectory, raw: str, complaint: str) -> Fault | Answer:
        """A fault; or, where the rest has been drawn anew often enough, the answer as far as it stands."""
        standing = self._standing(trajectory, raw) if self.goes_on else ""
        if _drafts(trajectory, standing) < self.limits.redraws:
            return Fault(raw, complaint, standing, told=False)
        return self._as_far_as_it_stands(standing) or Fault(raw, complaint)

    def _as_far_as_it_stands(self, standing: str) -> Answer | None:
        """The answer of a turn that goes no further, if its sentences are one by themselves."""
        reading = self.dialect.read(f"{standing}{END_OF_FINAL_ANSWER}")
        text = cut_to_sentences(reading.text) if isinstance(reading, Final) else ""
        return Answer(reading.thought, text) if isinstance(reading, Final) and text else None

    def _standing(self, trajectory: Trajectory, raw: str) -> str:
        """The turn up to the last whole sentence of its answer before which nothing is unsupported; perhaps nothing."""
        answer = find_answer(raw)
        head = raw[: raw.index(answer)]
        if find_misquoted(trajectory, head.removeprefix(OPENER).partition(END_OF_REASONING)[0]):
            return ""
        sound = (text for text in reversed(list_prefixes(answer)) if not self.check(trajectory, text))
        return next((head + text for text in sound), "")

    def _observed(self, trajectory: Trajectory, call: Call) -> Observation:
        """What the tool says; a call made before gets its earlier observation and a reminder."""
        earlier = [
            observation
            for act in trajectory.acts
            for made, observation in zip(act.calls, act.observations, strict=True)
            if _key(made) == _key(call)
        ]
        if len(earlier) < self.limits.repeats:
            return self.toolbox.call(call, trajectory.task.language)
        first = earlier[0]
        reminded = {**json.loads(first.content), "reminder": prompts.notice("repeated")}
        return replace(first, content=json.dumps(reminded, ensure_ascii=False))

    def _settled(self, trajectory: Trajectory) -> Trajectory:
        """The trajectory, ended if it has its answer or reached a limit."""
        if trajectory.answer is not None:
            return trajectory.ended(Stop.ANSWERED)
        counted = _counted(trajectory)
        faults = sum(isinstance(step, Fault) for step in counted)
        if faults > self.limits.faults or len(counted) >= self.limits.steps:
            return trajectory.ended(Stop.UNRESOLVED)
        return trajectory


def _drafts(trajectory: Trajectory, standing: str) -> int:
    """How often the turn has gone wrong, since the last call, right behind what stands of it."""
    faults = takewhile(lambda step: isinstance(step, Fault), reversed(trajectory.steps))
    return sum(isinstance(step, Fault) and step.standing == standing for step in faults)


def _counted(trajectory: Trajectory) -> list[Step]:
    """The steps that count: all but the faults behind sentences that stand."""
    return [step for step in trajectory.steps if not (isinstance(step, Fault) and step.standing)]


def _key(call: Call) -> tuple[str, str]:
    return call.name, repr(sorted((name, repr(value)) for name, value in call.arguments.items()))


def _owner(trajectory: Trajectory) -> str:
    """Whose text the prompt holds; without a student id it is nobody's, and nothing of it is shared."""
    task = trajectory.task
    return json.dumps([task.course, task.student]) if task.student else ""
