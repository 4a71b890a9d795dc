"""Questions without a model: known wordings, put as students put them, about what this student's report says.

A question may lean on the answer before it, ask two things, tell of worry or of the asker's life, quote the report,
and be typed badly. How often each happens is set by `Mixture`.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from data.catalogue import load_catalogue
from data.catalogue_languages import catalogue_in
from finetune.questions.before import Before
from finetune.questions.categories import OUTSIDE, categories, category_of
from finetune.questions.generator import Generator
from finetune.questions.manner import ENGLISH
from finetune.questions.question import Question
from finetune.questions.row import Meant, Row
from finetune.questions.source import Wanted
from scribe.trajectory import Exchange

LENGTHS = {"short": (1, 9), "medium": (10, 24), "long": (25, 45)}
"""Words from and to, by class. A question is lengthened until it is in its class, never cut."""
_TRIES = 40
_MOST_ADDED = 3


@dataclass(frozen=True, slots=True)
class Mixture:
    """Shares from 0 to 1; `strange` of the double questions, one half out of scope. lengths: weights by class.

    english: of the questions in a course of another language, those that are asked in English all the same.
    """

    follow_ups: float = 0.12
    double: float = 0.08
    strange: float = 0.3
    feelings: float = 0.15
    bare: float = 0.2
    slips: float = 0.15
    in_report: float = 0.6
    english: float = 0.1
    lengths: Mapping[str, float] = field(default_factory=lambda: {"short": 0.25, "medium": 0.45, "long": 0.3})


class Offline:
    """Draws from the wordings of one side of the split; see `tools.reading.known_questions`."""

    name = "offline"

    def __init__(self, mixture: Mixture = Mixture(), held_out: bool = False) -> None:
        self._mixture = mixture
        self._held_out = held_out

    def questions(self, wanted: Wanted) -> list[Row]:
        """As many as wanted, no two the same unless the wordings run out."""
        drawn: dict[str, Row] = {}
        draw = _Draw(wanted, self._mixture, self._held_out)
        for row in draw.rows(_TRIES * wanted.count):
            drawn.setdefault(row.question, row)
            if len(drawn) == wanted.count:
                break
        return [replace(row, id=f"{row.id}-{number:02d}") for number, row in enumerate(drawn.values(), start=1)]


class _Draw:
    """One report's questions of one category."""

    def __init__(self, wanted: Wanted, mixture: Mixture, held_out: bool) -> None:
        self.wanted, self.mixture = wanted, mixture
        self.random = random.Random(wanted.salt)
        self.own, self.foreign = (
            Generator(wanted.course, catalogue_in(language), wanted.salt + place, held_out, language)
            for place, language in enumerate((wanted.course.language, ENGLISH), start=1)
        )
        self.generator = self.own
        low = wanted.report.lower()
        # Reports are English, so that a student who asks about one uses the English label.
        named = [one.label for one in load_catalogue() if one.label in low]
        self.features = [(label, label) for label in named]
        self.all_features = {each: each.features for each in (self.own, self.foreign)}
        self.before = {
            each: Before(wanted.course, wanted.student, wanted.theory, each.language)
            for each in (self.own, self.foreign)
        }

    def rows(self, most: int) -> Iterator[Row]:
        for _ in range(most):
            self.generator = self.foreign if self._by(self.mixture.english) else self.own
            # Asked about what stands in the report more often than about what nobody has told them of.
            quoted = self.features if self._by(self.mixture.in_report) else []
            self.generator.features = quoted or self.all_features[self.generator]
            yield self._row()

    def _by(self, chance: float) -> bool:
        return self.random.random() < chance

    def _row(self) -> Row:
        question, history = self._follow_up() if self._by(self.mixture.follow_ups) else (None, ())
        style = ["follow-up"] if question else []
        question = question or self.generator.one(self._intent())
        second = None
        if not question.earlier and question.intent != "smalltalk" and self._by(self.mixture.double):
            question, second = self._doubled(question)
            style.append("two questions")
        text = self._lengthened(question, style)
        text = self._typed(text, style)
        w = self.wanted
        return Row(
            w.id, w.course.id, w.student, w.theory, text, w.category.id, Offline.name, history, question.intent,
            question.slots, question.wording, tuple(style), Meant.of(question.earlier), Meant.of(second),
        )  # fmt: skip

    def _intent(self) -> str:
        intents = self.wanted.category.intents
        return self.random.choices(list(intents), list(intents.values()))[0]

    def _follow_up(self) -> tuple[Question | None, tuple[Exchange, ...]]:
        """A question of the category that leans on one before it, and that one with its answer; None if none comes."""
        for _ in range(_TRIES):
            question = self.generator.follow_up()
            if question.earlier is None or category_of(question.intent) != self.wanted.category.id:
                continue
            if (answer := self.before[self.generator].answer(question.earlier)) is not None:
                return question, (Exchange(question.earlier.text, answer),)
        return None, ()

    def _doubled(self, first: Question) -> tuple[Question, Question]:
        """Two questions in one, and the second by itself."""
        within = [intent for id, each in categories().items() if id != OUTSIDE for intent in each.intents]
        others = [intent for intent in within if intent != first.intent]
        strange = self._by(self.mixture.strange) and self.wanted.category.id != OUTSIDE
        manner = self.generator.manner
        drawn = self.generator.one("out_of_scope" if strange else self.random.choice(others))
        second = replace(drawn, text=manner.ungreeted(drawn.text))
        return replace(first, text=manner.joined(first.text, second.text)), second

    def _lengthened(self, question: Question, style: list[str]) -> str:
        """The text in the class of length that is drawn, as far as what students add can bring it there."""
        shares = self.mixture.lengths
        target = self.random.choices(list(shares), list(shares.values()))[0]
        least = LENGTHS[target][0]
        manner, text = self.generator.manner, question.text
        if question.intent == "smalltalk":
            style.append(length_class(text))
            return text
        if self._by(self.mixture.feelings):
            text = manner.stressed(text)
            style.append("feeling")
        quotes, added = question.intent != "out_of_scope", 0
        while len(text.split()) < least and added < _MOST_ADDED:
            longer = manner.told(text, self.wanted.report, _week(question)) if quotes else manner.situated(text)
            style.extend(["quote" if quotes else "life"] if longer != text else [])
            text, quotes, added = longer, False, added + 1
        style.append(length_class(text))
        return text

    def _typed(self, text: str, style: list[str]) -> str:
        if self._by(self.mixture.bare):
            text = self.generator.manner.bare(text)
            style.append("bare")
        if self._by(self.mixture.slips):
            for _ in range(self.random.choice((1, 1, 2, 3))):
                text = self.generator.manner.slipped(text)
            style.append("slips")
        return text


def _week(question: Question) -> int:
    """The week whose record is asked about, 0 for none: only there it matters which week the report's words are on."""
    return int(question.slots.get("week", 0)) if question.intent in ("week_why", "week_well") else 0


def length_class(text: str) -> str:
    """Which class of LENGTHS a text is in; what is longer than the last is in the last."""
    words = len(text.split())
    return next((name for name, (_, most) in LENGTHS.items() if words <= most), list(LENGTHS)[-1])
