"""What tools say, in the language of the course: the sentences of `phrases_en.toml` and `phrases_fr.toml`."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from data.course import Student
from data.standing import Standing, whole
from tools import wording

ENGLISH = "en"
SPOKEN = (ENGLISH, "fr")


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language. `texts`: its sentences by the keys of the files, as "grade.so_far"."""

    language: str
    texts: Mapping[str, str]

    def __call__(self, name: str, /, **values: object) -> str:
        """The sentence of this name with its slots filled; values that it has no slot for are left out."""
        return self.texts[name].format(**values)

    def kind(self, name: str) -> str:
        """A kind of graded work, as "homework", in this language."""
        return self.texts.get(f"kinds.{name}", name)

    def named(self, name: str, english: str = "") -> str:
        """A topic or title within a sentence: with its English, where that says more, or in quotation marks."""
        told = english and english.casefold() != name.casefold()
        return self("any.glossed", name=name, english=english) if told else self("any.named", name=name)

    def listed(self, words: Sequence[str], last: str = "and") -> str:
        """Words as a person lists them, with "and" or "or" before the last: "a, b and c"."""
        return wording.listed(words, self(f"any.{last}"))

    def weeks(self, numbers: Iterable[int]) -> str:
        """Weeks as words: "week 3", "weeks 2, 4 and 5"."""
        names = [str(number) for number in sorted(set(numbers))]
        return self("any.week" if len(names) == 1 else "any.weeks", numbers=self.listed(names))

    def quoted(self, source: str, text: str, language: str) -> str:
        """What "rules" or "book" say, in the language of the text.

        The words before the colon are always the same, so that a small model finds where to begin copying.
        """
        return self(f"{source}.says" if language == self.language else f"{source}.foreign", text=text)

    def done(self, last: int) -> str:
        """The weeks up to the last that is over."""
        return self("any.range", last=last) if last > 1 else self.weeks([1])

    def percent(self, value: float) -> str:
        """A percentage as a whole number with its unit."""
        return self("any.percent", number=whole(value))

    def points(self, value: float) -> str:
        """Points to the tenth, without a useless zero: "7.5", "12"; with a comma in French."""
        shown = f"{round(value + 1e-9, 1):.1f}".removesuffix(".0")
        return shown if self.language == ENGLISH else shown.replace(".", ",")

    def pace(self, so_far: Standing, student: Student) -> list[str]:
        """The one sentence that is due where the marks so far and the outlook disagree; else none."""
        if not so_far.disagrees(student):
            return []
        return [self("any.keeps_pace" if so_far.keeps_pace else "any.below_pace")]


@cache
def phrases(language: str) -> Phrases:
    """The sentences for a course in this language; in a language that is not in SPOKEN they are English."""
    spoken = language if language in SPOKEN else ENGLISH
    read = files(__package__).joinpath(f"phrases_{spoken}.toml").read_text(encoding="utf-8")
    told: dict[str, dict[str, str]] = tomllib.loads(read)
    return Phrases(spoken, {f"{tool}.{name}": text for tool, texts in told.items() for name, text in texts.items()})
