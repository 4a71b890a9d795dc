"""What a tutor's turn teaches: which components it treats, and with what chance each becomes known.

The figures in `LearningSettings` are ours: they are not measured on people. They say that a turn helps which explains
what is missing, answers what was asked, and is short. Results on these students are results under these assumptions.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from data.tasks.brief import CODES
from eval.tutoring.students.attention import keep_heard
from scribe.tutor.session import ComponentBrief, TaskBrief
from tools.embedding.embedders import Embedder, Vectors

_SENTENCE = re.compile(r"(?<=[.!?…:;])\s+|\n+")
_WORD = re.compile(r"\w+")
TELLING = 5
"""Letters from which on a word tells what a text is about."""
STEM = 6
"""From so many letters on, a word stands also for those that begin as it does: "multiply" for "multiplied"."""


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """How students learn.

    rate: chance to learn what one turn explains in full, of what was asked. unasked: its factor for what was not asked.
    question: what a question is worth beside an explanation. treated: fit from which a component counts as treated.
    at_once: components that one turn may treat; m more of them divide the chances, as at_once / m.
    alike, same: cosines of a sentence and a component's text at which they have nothing, or all, in common.
    """

    rate: float = 0.9
    unasked: float = 0.7
    question: float = 0.4
    treated: float = 0.4
    at_once: int = 2
    alike: float = 0.5
    same: float = 0.85


@dataclass(frozen=True, slots=True)
class TurnFit:
    """How much of each component's explanation a turn's statements hold, and its questions; 0 to 1."""

    told: Mapping[str, float]
    asked: Mapping[str, float]


class Listening:
    """Reads tutors' turns as a student does who can follow any explanation; threads may ask at once.

    embedder: what compares by meaning; without one only the components' words count.
    """

    def __init__(self, settings: LearningSettings = LearningSettings(), embedder: Embedder | None = None) -> None:
        self.settings, self._embedder = settings, embedder
        self._vectors: dict[tuple[str, ...], Vectors] = {}

    def measure_fit(self, text: str, brief: TaskBrief) -> TurnFit:
        """How well a turn explains, and asks about, each component. Only what is heard counts (`keep_heard`)."""
        sentences = [each for each in _SENTENCE.split(keep_heard(text)) if _WORD.search(each)]
        told = [each for each in sentences if not each.rstrip().endswith("?")]
        asked = [each for each in sentences if each.rstrip().endswith("?")]
        return TurnFit(self._fit(told, brief), self._fit(asked, brief))

    def list_treated(self, fit: TurnFit) -> dict[str, float]:
        """The components that a turn treats, each with its fit; a question counts less than an explanation."""
        fits = {name: max(told, self.settings.question * fit.asked[name]) for name, told in fit.told.items()}
        return {name: fit for name, fit in fits.items() if fit >= self.settings.treated}

    def measure_chances(self, treated: Mapping[str, float], asked: str) -> dict[str, float]:
        """The chance of each treated component to become known; asked: what the student last asked about."""
        load = min(1.0, self.settings.at_once / max(1, len(treated)))
        return {
            name: self.settings.rate * fit * load * (1.0 if name == asked or not asked else self.settings.unasked)
            for name, fit in treated.items()
        }

    def _fit(self, sentences: Sequence[str], brief: TaskBrief) -> dict[str, float]:
        """By cues, by the words of the component's text, or by meaning, whichever is more.

        By meaning only in a language that the embedder was made for.
        """
        if not sentences:
            return {each.name: 0.0 for each in brief.components}
        text = " ".join(sentences)
        by_words = {
            each.name: max(count_cues(text, each.cues), count_cues(text, list_telling(each.text)))
            for each in brief.components
        }
        if self._embedder is None or CODES[brief.language] not in self._embedder.languages:
            return by_words
        by_meaning = self._compare(self._embedder, [*sentences, text], brief.components)
        return {name: max(fit, by_meaning[name]) for name, fit in by_words.items()}

    def _compare(
        self, embedder: Embedder, texts: Sequence[str], components: Sequence[ComponentBrief]
    ) -> dict[str, float]:
        key = tuple(each.text for each in components)
        if key not in self._vectors:
            self._vectors[key] = embedder.embed(key)
        cosines = (embedder.embed(texts) @ self._vectors[key].T).max(axis=0)
        span = self.settings.same - self.settings.alike
        shares = ((cosines - self.settings.alike) / span).clip(0.0, 1.0)
        return {each.name: float(share) for each, share in zip(components, shares, strict=True)}


def count_cues(text: str, cues: Sequence[str]) -> float:
    """The share of a component's cues that stand in a text, at the beginning of a word and whatever their case."""
    plain = _simplify(text)
    return sum(_match(cue).search(plain) is not None for cue in cues) / len(cues) if cues else 0.0


@cache
def list_telling(text: str) -> tuple[str, ...]:
    """The longer words of a component's text, each once: they say what it is about."""
    return tuple(dict.fromkeys(word for word in _WORD.findall(text.casefold()) if len(word) >= TELLING))


@cache
def _match(cue: str) -> re.Pattern[str]:
    words = (re.escape(word[:-2] if len(word) >= STEM and word.isalpha() else word) for word in _simplify(cue).split())
    return re.compile(r"(?<!\w)" + r"\w*\W+".join(words))


def _simplify(text: str) -> str:
    """Small letters without accents, so that "égalité" is found in "EGALITE"."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each))
