"""Choosing one of several turns: by a verifier's reward, by asking the tutor's own model, or by chance.

The last two are the paper's B1 and B2 (section 5.4), to which inference-time scaling is compared.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from scribe.plumbing.threads import map_in_threads
from scribe.tutor import prompts
from scribe.tutor.session import Candidate, TokenUse, TutoringSession, TutorTurn
from scribe.tutor.speaking import Speaker, TurnDraft, mix_seed
from scribe.verify.verifying import Verifier

CHOICE = 2000
"""Number of the draw in which the model chooses, so that no seed is used twice."""
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ChosenDraft:
    """The drafts in the order in which they were drawn, the place of the chosen one, and what the choice cost.

    rewards: one for each draft, where a verifier chose.
    """

    drafts: tuple[TurnDraft, ...]
    place: int
    rewards: tuple[float, ...] = ()
    use: TokenUse = TokenUse()

    def as_turn(self, belief: Mapping[str, float]) -> TutorTurn:
        """The chosen draft as the tutor says it, with all candidates, and what all of them and the choice cost."""
        said = self.drafts[self.place]
        pairs = zip(self.drafts, self.rewards or (None,) * len(self.drafts), strict=True)
        candidates = tuple(Candidate(draft.text, reward) for draft, reward in pairs)
        use = sum((draft.use for draft in self.drafts), self.use)
        return TutorTurn(said.text, said.thought, candidates, belief, use)


class Chooser(Protocol):
    """Takes one of several drafts."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    def choose(self, session: TutoringSession, drafts: tuple[TurnDraft, ...], seed: int) -> ChosenDraft:
        """The choice among one or more drafts, none of them empty. Raises BackendError."""
        ...


@dataclass(frozen=True, slots=True)
class VerifiedChoice:
    """The draft with the highest reward, the first of those that tie."""

    verifier: Verifier
    name: str = "verifier"

    def choose(self, session: TutoringSession, drafts: tuple[TurnDraft, ...], seed: int) -> ChosenDraft:
        """Reward each draft and take the best. Raises BackendError."""
        valued = self.verifier.value(session, [draft.text for draft in drafts])
        return ChosenDraft(drafts, find_best(valued.rewards), valued.rewards, valued.use)


@dataclass(frozen=True, slots=True)
class PromptedChoice:
    """B1: the tutor's own model thinks and names the best draft; the first if it names none."""

    speaker: Speaker
    name: str = "prompted"

    def choose(self, session: TutoringSession, drafts: tuple[TurnDraft, ...], seed: int) -> ChosenDraft:
        """Ask once. Raises BackendError."""
        listed = "\n\n".join(f"Draft {number}:\n{draft.text}" for number, draft in enumerate(drafts, start=1))
        said = self.speaker.note(session, seed, (prompts.text("choose.md").format(drafts=listed),), draw=CHOICE)
        named = _NUMBER.search(said.text)
        number = int(named.group()) if named else 1
        return ChosenDraft(drafts, number - 1 if 1 <= number <= len(drafts) else 0, use=said.use)


@dataclass(frozen=True, slots=True)
class RandomChoice:
    """B2: one by chance, the same for the same seed and round."""

    name: str = "random"

    def choose(self, session: TutoringSession, drafts: tuple[TurnDraft, ...], seed: int) -> ChosenDraft:
        """Any of them."""
        place = random.Random(mix_seed(seed, session.rounds, CHOICE)).randrange(len(drafts))
        return ChosenDraft(drafts, place)


def draw_and_choose(
    draw: Callable[[int], TurnDraft],
    count: int,
    chooser: Chooser,
    session: TutoringSession,
    seed: int,
    threads: int = 4,
) -> ChosenDraft:
    """Draw `count` drafts in parallel, by their numbers from 0, and let the chooser take one.

    Empty ones are left out where there are others. Raises BackendError.
    """
    drawn = tuple(map_in_threads(draw, range(count), min(threads, count)))
    drafts = tuple(draft for draft in drawn if draft.text)
    lost = sum((draft.use for draft in drawn if not draft.text), TokenUse())
    if not drafts:
        return ChosenDraft(drawn, 0)
    choice = chooser.choose(session, drafts, seed)
    return ChosenDraft(choice.drafts, choice.place, choice.rewards, choice.use + lost)


def find_best(rewards: Sequence[float]) -> int:
    """The place of the highest reward, the first of those that tie."""
    return max(range(len(rewards)), key=lambda place: rewards[place])
