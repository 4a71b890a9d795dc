"""Which behaviour everyday words mean: the one whose names and description hold all of them, if it is the only one."""

from dataclasses import dataclass

from rapidfuzz.distance import OSA

from data.catalogue import Catalogue, Feature
from tools.search.spelling import CLOSE, SHORTEST
from tools.search.words import Words

# Words that are in the descriptions of many behaviours, or that one wraps a behaviour in.
_EMPTY = """
    behaviour behaviours feature features activity week weeks number many often long rate amount level report my i do
    students student course study platform much late early
    comportement comportements indicateur indicateurs nombre semaine semaines rapport taux niveau combien longtemps mon
    ma mes cours travail plateforme
"""


@dataclass(frozen=True, slots=True)
class Everyday:
    """The stems of each behaviour: those of its names, and those of its description."""

    features: tuple[Feature, ...]
    names: tuple[frozenset[str], ...]
    told: tuple[frozenset[str], ...]
    words: Words

    @classmethod
    def of(cls, catalogue: Catalogue, words: Words) -> "Everyday":
        """The behaviours of a catalogue, read with the words of its language."""

        def stems(text: str) -> frozenset[str]:
            return frozenset(words.stems(words.telling(text)))

        features = tuple(catalogue)
        names = tuple(stems(" ".join((each.label, *_words_alone(each.aliases)))) for each in features)
        return cls(features, names, tuple(stems(each.description) for each in features), words)

    def meant(self, said: str) -> Feature | None:
        """The only behaviour with all these words, two or more, at least one of them in its name."""
        empty = set(self.words.stems(self.words.of(_EMPTY)))
        asked = [stem for stem in self.words.stems(self.words.telling(said)) if stem not in empty]
        if len(set(asked)) < 2:
            return None
        fitting = [
            (sum(_has(names, stem) for stem in asked), feature)
            for feature, names, told in zip(self.features, self.names, self.told, strict=True)
            if all(_has(names | told, stem) for stem in asked) and any(_has(names, stem) for stem in asked)
        ]
        most = max((number for number, _ in fitting), default=0)
        best = [feature for number, feature in fitting if number == most]
        return best[0] if len(best) == 1 else None

    def named_in(self, text: str) -> Feature | None:
        """The behaviour with the longest label whose words stand in the text one after the other."""
        said = f" {' '.join(self.words.stems(self.words.of(text)))} "
        labels = {feature: self.words.stems(self.words.of(feature.label)) for feature in self.features}
        found = [feature for feature, label in labels.items() if len(label) > 1 and f" {' '.join(label)} " in said]
        return max(found, key=lambda feature: len(labels[feature]), default=None)


def _words_alone(names: tuple[str, ...]) -> list[str]:
    """The names that people write, not those of the code."""
    return [name for name in names if " " in name]


def _has(stems: frozenset[str], stem: str) -> bool:
    """Whether the stem is among these, or a near spelling of a long one."""
    if stem in stems or len(stem) < SHORTEST:
        return stem in stems
    return any(OSA.normalized_similarity(stem, each) >= CLOSE for each in stems)
