"""The catalogue in a course's language, for what speaks to students; `data` and reports are in English."""

import tomllib
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from data.catalogue import CATALOGUE, Catalogue, Feature, load_catalogue, rounded

FRENCH = "fr"
FRENCH_TEXTS = CATALOGUE.with_name("catalogue_fr.toml")
_IN_FULL, _MANY = 9_950, 999_500  # Below the first a number is written in full, from the second it is told in millions

_ONE = {
    **dict.fromkeys(("heure", "minute", "seconde", "séance", "réponse", "ouverture", "fois"), "d'une"),
    **dict.fromkeys(("point", "clic"), "d'un"),
}


@dataclass(frozen=True, slots=True)
class FrenchFeature(Feature):
    """A feature in French; one, below_zero_one: the units after a number below 2, which is singular there."""

    one: str = ""
    below_zero_one: str = ""

    def amount(self, value: float, unit: str) -> str:
        """A value that is not negative with its unit: "1,5 heure", "0 clic", "1200 clics"."""
        single = self.below_zero_one if unit == self.below_zero else self.one
        step = 10.0**-self.decimals
        if 0 < value < step / 2:
            least = _ONE.get(self.one) if step == 1 else None
            return f"moins {least or f'de {french_number(step, self.decimals)}'} {single}"
        number = french_number(value, self.decimals)
        if number.endswith(("million", "millions")):
            return f"{number} de {unit}"
        return f"{number} {single if float(number.split()[0].replace(',', '.')) < 2 else unit}"


def french_number(value: float, decimals: int) -> str:
    """A number that is not negative in at most three telling digits: "85", "2,5", "1200", "12 mille", "1,2 million"."""
    if value < 999.5:
        return rounded(value, decimals if value < 99.95 else 0).replace(".", ",")
    if value < _IN_FULL:
        return f"{rounded(value / 100, 0)}00"
    if value < _MANY:
        return f"{rounded(value / 1e3, 0)} mille"
    millions = rounded(value / 1e6, 1 if value < 99.95e6 else 0)
    return f"{millions.replace('.', ',')} million{'s' if float(millions) >= 2 else ''}"


@cache
def catalogue_in(language: str) -> Catalogue:
    """The catalogue for a course in this language, "en" or "fr"; any other is told in English."""
    english = load_catalogue()
    if language != FRENCH:
        return english
    told = tomllib.loads(FRENCH_TEXTS.read_text(encoding="utf-8"))
    features = {entry["name"]: entry for entry in told["features"]}
    dimensions = {entry["name"]: entry for entry in told["dimensions"]}
    return Catalogue(
        tuple(_translate(feature, features[feature.name]) for feature in english),
        tuple(replace(one, **dimensions[one.name]) for one in english.dimensions),
    )


def _translate(feature: Feature, told: dict[str, Any]) -> FrenchFeature:
    english = {field.name: getattr(feature, field.name) for field in fields(feature)}
    return FrenchFeature(**(english | told | {"aliases": (*feature.aliases, feature.label)}))
