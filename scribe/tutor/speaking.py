"""One turn of a tutor's model: drawn, read, guarded, and drawn again if it cannot be said."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from scribe.backend import Backend, Completion, Constraint, Sampling
from scribe.dialect import Dialect, Final, MarkerDialect
from scribe.messages import (
    END_OF_FINAL_ANSWER,
    END_OF_REASONING,
    FINAL_ANSWER,
    OPENER,
    REASONING,
    defuse,
)
from scribe.plumbing.errors import ContextFull, ScribeError
from scribe.streaming import cut_to_sentences, find_answer, find_last_prefix
from scribe.tutor.prompting import Belief, write_prompt
from scribe.tutor.session import StudentTurn, TokenUse, TutoringSession
from scribe.tutor.solution_guard import FindGuard, SolutionGuard

DRAWING = Sampling(temperature=0.4, top_p=0.95, max_tokens=300)
"""How the paper draws (appendix A.2)."""
SECOND_TRY = 0.6
"""The temperature at least of a turn that follows one that could not be said."""
_ANSWER = Constraint(tools={}, allow=frozenset({"answer"}))

Watch = Callable[[str], None]
"""Is called with the turn as far as it may be seen, whole sentences; empty when what was seen is taken back."""


class TurnStopped(ScribeError):
    """A turn that was stopped while it was written; nothing is said."""


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """What a model wrote as a tutor, or for itself: the note to itself, the text, and what it cost."""

    text: str
    thought: str = ""
    use: TokenUse = TokenUse()


@dataclass(frozen=True, slots=True)
class Speaker:
    """A model that speaks as a tutor.

    find_guard: the guard of a task, which no text passes by. redraws: how often a turn is drawn anew. watch: sees the
    turns that are said while they are written. owner: see `Backend.complete`. stopped: asked again and again while the
    model writes; once it says yes, `TurnStopped` is raised.
    """

    backend: Backend
    find_guard: FindGuard
    sampling: Sampling = DRAWING
    redraws: int = 3
    watch: Watch | None = None
    owner: str = ""
    dialect: Dialect = field(default_factory=MarkerDialect)
    stopped: Callable[[], bool] | None = None

    def say(
        self,
        session: TutoringSession,
        seed: int,
        belief: Belief | None = None,
        asked: Sequence[str] = (),
        draw: int = 0,
        watched: bool = True,
    ) -> TurnDraft:
        """A turn that may be said to the student; with no text if the model wrote none in all its tries.

        draw: the number of the candidate; each is another text. A turn that is malformed, cut off, empty or gives the
        solution away is drawn again; at last the best of what there is stands, what gives away left out.
        Raises BackendError, or TurnStopped.
        """
        guard, known = self.find_guard(session.brief.task), list_known(session)
        watch = self.watch if watched else None
        use, fallback, leaking = TokenUse(), TurnDraft(""), TurnDraft("")
        for attempt in range(self.redraws + 1):
            progress = _Progress(guard, known, watch, self.stopped) if watch or self.stopped else None
            number = mix_seed(seed, session.rounds, draw, attempt)
            draft, sound = self._draw(session, belief, asked, number, attempt, progress)
            use += draft.use
            leaks = guard.find_leaks(draft.text, known)
            if draft.text and sound and not leaks:
                return replace(draft, use=use)
            if progress:
                progress.take_back()
            if leaks:
                leaking = leaking if leaking.text else draft
            elif draft.text:
                fallback = fallback if fallback.text else draft
        best = fallback if fallback.text else replace(leaking, text=guard.redact(leaking.text, known))
        return replace(best, use=use)

    def note(
        self,
        session: TutoringSession,
        seed: int,
        asked: Sequence[str],
        belief: Belief | None = None,
        draw: int = 0,
    ) -> TurnDraft:
        """What the model writes for itself when asked; nobody else reads it, so it is drawn once and not guarded."""
        number = mix_seed(seed, session.rounds, draw, 0)
        guard = self.find_guard(session.brief.task)
        unseen = _Progress(guard, "", None, self.stopped) if self.stopped else None
        return self._draw(session, belief, asked, number, 0, unseen)[0]

    def _draw(
        self,
        session: TutoringSession,
        belief: Belief | None,
        asked: Sequence[str],
        seed: int,
        attempt: int,
        progress: "_Progress | None",
    ) -> tuple[TurnDraft, bool]:
        """What was written, and whether it is a whole turn in the format."""
        warmth = self.sampling.temperature if not attempt else max(self.sampling.temperature, SECOND_TRY)
        sampling = replace(self.sampling, seed=seed, temperature=warmth)
        latest = len(session.turns)
        while True:
            prompt = write_prompt(session, belief, asked, latest)
            try:
                said = self.backend.complete(prompt, sampling, _ANSWER, progress, self.owner)
            except ContextFull:
                if latest <= 1:
                    raise
                latest = max(1, latest - 2)  # the oldest round is forgotten first
                continue
            if self.stopped and self.stopped():
                raise TurnStopped("the turn was stopped")
            return self._read(said)

    def _read(self, said: Completion) -> tuple[TurnDraft, bool]:
        use = TokenUse(said.prompt_tokens, said.completion_tokens)
        raw = OPENER + said.text.lstrip().removeprefix(OPENER)
        reading = self.dialect.read(raw)
        if isinstance(reading, Final):
            whole = said.finish == "stop"
            text = reading.text if whole else cut_to_sentences(reading.text) or reading.text
            return TurnDraft(text, reading.thought, use), whole
        return TurnDraft(strip_reasoning(raw), "", use), False


class _Progress:
    """Passes on the sentences of a turn while it is written, as long as they give nothing away, until it is stopped."""

    def __init__(
        self, guard: SolutionGuard, known: str, watch: Watch | None, stopped: Callable[[], bool] | None
    ) -> None:
        self._guard, self._known, self._watch, self._stopped = guard, known, watch, stopped
        self._raw, self._shown = "", ""

    def __call__(self, piece: str) -> bool:
        if self._watch:
            self._show(piece, self._watch)
        return not (self._stopped and self._stopped())

    def take_back(self) -> None:
        if self._watch and self._shown:
            self._watch("")

    def _show(self, piece: str, watch: Watch) -> None:
        self._raw += piece
        ready = find_last_prefix(find_answer(self._raw))
        if len(ready) > len(self._shown) and not self._guard.find_leaks(ready, self._known):
            self._shown = ready
            watch(ready)


def list_known(session: TutoringSession) -> str:
    """The code that the student has: the task's, and what they wrote or said themselves."""
    turns = (turn for turn in session.turns if isinstance(turn, StudentTurn))
    own = (text for turn in turns for text in (turn.code, turn.text))
    return "\n\n".join((session.brief.stub, session.brief.context, *own))


def strip_reasoning(raw: str) -> str:
    """What of a malformed turn can be said: what follows the reasoning, else all of it, without markers."""
    _, ended, rest = raw.partition(END_OF_REASONING)
    text = rest if ended else raw
    for marker in (REASONING, END_OF_REASONING, FINAL_ANSWER, END_OF_FINAL_ANSWER):
        text = text.replace(marker, " ")
    return defuse(text).strip()


def mix_seed(*numbers: int) -> int:
    """One seed of several numbers, 31 bits: the same numbers give the same, others almost surely another."""
    digest = hashlib.sha256(" ".join(map(str, numbers)).encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1
