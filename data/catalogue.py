"""The catalogue of behavioural features: what each measures and how its value is said aloud."""

import difflib
import math
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Literal

CATALOGUE = Path(__file__).with_name("catalogue.toml")

Good = Literal["more", "less", "depends"]


class UnknownFeature(LookupError):
    """No feature bears this name."""


MOST = 1e9
"""No week holds more of anything; beyond it lie slips and numbers that cannot be shown."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One weekly measure; bounds are of raw values."""

    name: str
    code: str
    aliases: tuple[str, ...]
    label: str
    description: str
    unit: str
    decimals: int
    missing: str
    good: Good
    dimension: str | None
    minimum: float = -math.inf
    maximum: float = MOST
    multiply: float = 1.0
    divide: float = 1.0
    below_zero: str | None = None
    article: str = ""

    @property
    def the(self) -> str:
        """The label as it stands in a sentence: "effort", "l'effort", "le temps passé"."""
        return _add_article(self.article, self.label)

    @property
    def factor(self) -> float:
        """What a raw value is multiplied by to be shown, e.g. 1/60 for seconds shown as minutes."""
        return self.multiply / self.divide

    def allows(self, raw: float) -> bool:
        """Whether a raw value is a number within the feature's bounds."""
        return math.isfinite(raw) and self.minimum <= raw <= self.maximum

    def shown(self, raw: float) -> str:
        """A raw value as a person would say it, e.g. "85 minutes"; raises ValueError for NaN and infinities."""
        if not math.isfinite(raw):
            raise ValueError(f"{self.name}: {raw} cannot be shown; leave a missing value out")
        value = raw * self.multiply / self.divide
        unit = self.unit
        if value < 0 and self.below_zero is not None:
            value, unit = -value, self.below_zero
        return self.amount(value, unit)

    def amount(self, value: float, unit: str) -> str:
        """A value that is not negative with its unit, in the feature's language."""
        number = spoken(value, self.decimals)
        return f"{number} {make_singular(unit) if number.split()[-1] == '1' else unit}"


@dataclass(frozen=True, slots=True)
class Dimension:
    """A side of learning behaviour; `core` ones are advised on; article, label: its name in another language."""

    name: str
    definition: str
    advice: str
    core: bool
    article: str = ""
    label: str = ""

    @property
    def title(self) -> str:
        """Its name with a capital, in the dimension's language."""
        name = self.label or self.name
        return name[:1].upper() + name[1:]

    @property
    def the(self) -> str:
        """Its name as it stands in a sentence, in the dimension's language."""
        return _add_article(self.article, self.label or self.name)


class Catalogue:
    """All features, in the order of the file, found by name, code or alias."""

    def __init__(self, features: tuple[Feature, ...], dimensions: tuple[Dimension, ...]) -> None:
        self.features = features
        self.dimensions = dimensions
        self._by_key: dict[str, Feature] = {}
        for feature in features:
            for key in (feature.name, feature.code, *feature.aliases):
                known = self._by_key.setdefault(key.casefold(), feature)
                if known is not feature:
                    raise ValueError(f"{key!r} names both {known.name} and {feature.name}")

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.casefold() in self._by_key

    def by_name(self, name: str) -> Feature:
        """The feature of this name, code or alias, capitals ignored; raises UnknownFeature."""
        if feature := self._by_key.get(name.casefold()):
            return feature
        keys = difflib.get_close_matches(name.casefold(), self._by_key, n=3, cutoff=0.6)
        close = " or ".join(dict.fromkeys(self._by_key[key].name for key in keys))
        raise UnknownFeature(f"no behavioural feature is called {name!r}{f'; did you mean {close}?' if close else ''}")

    def dimension(self, name: str) -> Dimension:
        """The dimension of this name, capitals ignored; raises LookupError."""
        for dimension in self.dimensions:
            if dimension.name == name.casefold():
                return dimension
        known = ", ".join(each.name for each in self.dimensions)
        raise LookupError(f"no dimension is called {name!r}; known are {known}")

    def of_dimension(self, name: str) -> tuple[Feature, ...]:
        """The features that describe one dimension, in the order of the file."""
        wanted = self.dimension(name).name
        return tuple(each for each in self.features if each.dimension == wanted)


def spoken(value: float, decimals: int) -> str:
    """A number in at most three digits: "85", "2.5", "1.2 thousand", "less than 1"."""
    size = abs(value)
    step = Decimal(1).scaleb(-decimals)
    if 0 < size < float(step) / 2:
        return f"less than {step}" if value > 0 else "0"
    if size < 999.5:
        return rounded(value, decimals if size < 99.95 else 0)
    divisor, word = (1e3, "thousand") if size < 999_500 else (1e6, "million")
    return f"{rounded(value / divisor, 1 if size / divisor < 99.95 else 0)} {word}"


def rounded(value: float, decimals: int) -> str:
    """A number with at most so many decimals, none of them useless: "85", "2.5"."""
    # Halves go up, as a person rounds; twelve digits first, so that 0.285 * 100 counts as 28.5.
    exact = Decimal(f"{value:.12g}")
    text = str(exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))
    return text.rstrip("0").rstrip(".") if "." in text else text


def _add_article(article: str, noun: str) -> str:
    return f"{article}{noun}" if article.endswith("'") else f"{article} {noun}".strip()


def make_singular(unit: str) -> str:
    """The unit of one: "session", "hour early"."""
    first, _, rest = unit.partition(" ")
    return f"{first.removesuffix('s')} {rest}".rstrip()


@cache
def load_catalogue(path: Path = CATALOGUE) -> Catalogue:
    """Read the catalogue once."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    features = (
        entry | {"aliases": tuple(entry["aliases"]), "dimension": entry["dimension"].replace("none", "") or None}
        for entry in content["features"]
    )
    dimensions = tuple(Dimension(**entry) for entry in content["dimensions"])
    return Catalogue(tuple(Feature(**entry) for entry in features), dimensions)
