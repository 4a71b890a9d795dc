"""One item to its judgement: asked until the verdict can be read or that is given up."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from eval.judge import verdict
from eval.judge.endpoint import Endpoint, Reply
from eval.judge.gate import Gate
from eval.judge.judgement import Judgement
from eval.judge.work import Item
from scribe.errors import TransientError

CHARACTERS = 4.0
"""About so many of a prompt make a token."""
LONGEST_PAUSE = 60.0
READINGS = 3
"""Times that a judge is asked whose verdict cannot be read."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks one endpoint through one gate. tries: of one request; pause: seconds before the second, then doubled."""

    endpoint: Endpoint
    gate: Gate
    tries: int = 6
    pause: float = 1.0

    def judge(self, item: Item, stopped: Callable[[], bool]) -> Judgement | None:
        """The judgement, `unparsed` if no reply could be read; None if `stopped`.

        Raises TransientError if the endpoint stays in trouble, and BackendError for what asking again cannot change.
        """
        replies: list[Reply] = []
        read = verdict.Read("unparsed", "")
        for reading in range(READINGS):
            # A reply that was cut off needs room; all others another seed, or some servers say the same again.
            longer = 2 ** sum(reply.cut_off for reply in replies)
            reply = self._reply(item, item.repeat * READINGS + reading, longer, stopped)
            if reply is None:
                return None
            replies.append(reply)
            read = verdict.of_reply(reply.text, item.rubric.decision, reply.thought, reply.cut_off)
            if read.verdict != "unparsed":
                break
        return made(item, self.endpoint.model, read, replies)

    def _reply(self, item: Item, seed: int, longer: int, stopped: Callable[[], bool]) -> Reply | None:
        body = self.endpoint.body(item.messages, seed, longer)
        for attempt in range(self.tries):
            if not self.gate.enter(item.size / CHARACTERS, stopped):
                return None
            try:
                return self.endpoint.ask(body)
            except TransientError as problem:
                if attempt == self.tries - 1:
                    raise
                self._wait(attempt, problem.after, stopped)
        return None

    def _wait(self, attempt: int, asked: float, stopped: Callable[[], bool]) -> None:
        """Wait as long as the server asked for, and all others with us; else by ourselves, longer each time."""
        if asked:
            self.gate.hold(min(asked, LONGEST_PAUSE))
        end = time.monotonic() + (0.0 if asked else min(self.pause * 2**attempt, LONGEST_PAUSE))
        while time.monotonic() < end and not stopped():
            time.sleep(min(0.2, max(0.0, end - time.monotonic())))


def made(item: Item, judge: str, read: verdict.Read, replies: list[Reply]) -> Judgement:
    """The judgement of the last reply, with what all of them took."""
    return Judgement(
        answer=item.case.record.id,
        run=item.case.run,
        criterion=item.rubric.id,
        judge=judge,
        endpoint_model=replies[-1].model,
        repeat=item.repeat,
        verdict=read.verdict,
        reasoning=f"{read.reasoning}\n({read.why})" if read.why else read.reasoning,
        seconds=round(sum(reply.seconds for reply in replies), 3),
        prompt_tokens=sum(reply.prompt_tokens for reply in replies),
        completion_tokens=sum(reply.completion_tokens for reply in replies),
        fingerprint=item.fingerprint,
        of=item.of,
    )
