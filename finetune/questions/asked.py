"""Questions from a language model at an OpenAI-compatible address, which plays the student; see `persona`."""

import hashlib
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from eval.judge.endpoint import Endpoint, Sampling, is_near
from finetune.questions import persona
from finetune.questions.before import Before
from finetune.questions.categories import OUTSIDE, categories
from finetune.questions.offline import Mixture, Offline, length_class
from finetune.questions.replies import Replies, Said
from finetune.questions.row import Meant, Row
from finetune.questions.settings import Settings
from finetune.questions.source import Wanted
from scribe.backends.api import Passing
from scribe.errors import UsageError
from scribe.trajectory import Exchange

READINGS = 3
"""Times that a report is asked about when too few questions come."""
_LONGEST_PAUSE = 30.0
_DRAWN = 20
"""Questions of a category among which one is looked for whose answer is known."""
_ENOUGH = 0.5
"""The share of the wanted questions with which a report is not asked about again."""


@dataclass(slots=True)
class Spent:
    """What was asked of the endpoint in this and earlier runs."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    models: set[str] = field(default_factory=set)


class Asked:
    """Asks one endpoint; threads may ask at once. `samples` are real questions by category, for the tone only.

    Raises UsageError for an address outside this network unless the settings allow that: reports are sent there.
    """

    def __init__(
        self, settings: Settings, replies: Replies, samples: Mapping[str, Sequence[str]], pause: float = 1.0
    ) -> None:
        if not settings.allow_remote and not is_near(settings.base_url):
            raise UsageError(
                f"{settings.base_url} is not in this network, and students' reports would be sent there (never their "
                "ids). If they may be, set allow_remote = true under [questions]"
            )
        sampling = Sampling(settings.temperature, settings.max_tokens, settings.leave_out)
        self._endpoint = Endpoint(settings.base_url, settings.model, sampling, settings.timeout)
        self._settings, self._replies, self._samples, self._pause = settings, replies, samples, pause
        self._lock = threading.Lock()
        self.spent = Spent()

    @property
    def name(self) -> str:
        """The model that is asked."""
        return self._settings.model

    def questions(self, wanted: Wanted) -> list[Row]:
        """What the model wrote, follow-ups first. Raises BackendError if the endpoint stays in trouble."""
        following = round(self._settings.follow_ups * wanted.count)
        leant = self._leant(wanted) if following else None
        rows = self._written(replace(wanted, count=following), *leant) if leant else []
        if wanted.count > len(rows):
            rows += self._written(replace(wanted, count=wanted.count - len(rows)), None, ())
        return [replace(row, id=f"{row.id}-{number:02d}") for number, row in enumerate(rows, start=1)]

    def _leant(self, wanted: Wanted) -> tuple[Meant, tuple[Exchange, ...]] | None:
        """An earlier question with its answer, for the model to go on from."""
        alone = Offline(Mixture(follow_ups=0.0, double=0.0, lengths={"short": 1.0}), self._settings.held_out)
        before = Before(wanted.course, wanted.student, wanted.theory)
        others = [each for id, each in categories().items() if id not in (wanted.category.id, OUTSIDE)]
        for category in (wanted.category, *others):
            for row in alone.questions(replace(wanted, category=category, count=_DRAWN)):
                asked = row.asked
                if asked and (answer := before.answer(asked)):
                    return Meant(row.intent, row.question, row.slots, row.wording), (Exchange(row.question, answer),)
        return None

    def _written(self, wanted: Wanted, earlier: Meant | None, history: tuple[Exchange, ...]) -> list[Row]:
        found: dict[str, None] = {}
        for reading in range(READINGS):
            messages = persona.prompt(
                wanted, self._shown(wanted), self._settings.lengths, history[0] if history else None
            )
            said = self._said(self._endpoint.body(messages, wanted.salt % 2**31 + reading))
            written = persona.read(said.text, said.cut_off)
            self._count({"lines that were no question": written.strange, "replies cut off": int(said.cut_off)})
            found |= dict.fromkeys(written.questions)
            if len(found) >= _ENOUGH * wanted.count:
                break
        self._count({"questions missing": max(0, wanted.count - len(found))})
        w = wanted
        return [
            Row(
                w.id, w.course.id, w.student, w.theory, text, w.category.id, self.name, history,
                style=(*(["follow-up"] if history else []), length_class(text)), earlier=earlier,
            )
            for text in list(found)[: w.count]
        ]  # fmt: skip

    def _shown(self, wanted: Wanted) -> list[str]:
        """Some real questions of the category: others for another report."""
        known = list(self._samples.get(wanted.category.id, ()))
        return random.Random(wanted.salt).sample(known, min(self._settings.shown, len(known)))

    def _said(self, body: Mapping[str, Any]) -> Said:
        key = hashlib.sha256(json.dumps([self._endpoint.url, body], sort_keys=True).encode()).hexdigest()
        said = self._replies.get(key)
        if said is None:
            said = self._asked(key, body)
            self._replies.put(said)
        self._count({"requests": 1, "prompt tokens": said.prompt_tokens, "completion tokens": said.completion_tokens})
        with self._lock:
            self.spent.seconds += said.seconds
            self.spent.models.add(said.model or self.name)
        return said

    def _asked(self, key: str, body: Mapping[str, Any]) -> Said:
        for attempt in range(self._settings.tries):
            try:
                reply = self._endpoint.ask(body)
            except Passing as problem:
                if attempt == self._settings.tries - 1:
                    raise
                time.sleep(min(max(self._pause * 2**attempt, problem.after), _LONGEST_PAUSE))
            else:
                tokens = reply.prompt_tokens, reply.completion_tokens
                return Said(key, reply.text, reply.cut_off, reply.model, *tokens, reply.seconds)
        raise AssertionError("the last try either answers or raises")

    def _count(self, more: Mapping[str, int]) -> None:
        with self._lock:
            self.spent.counts.update(more)
