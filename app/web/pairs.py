"""What people see who compare tutors: two dialogues beside each other, A and B, and which is better by a criterion."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from jinja2 import Environment

from app.web.marking import MarkingRoom
from eval.agreement.marking import Marking, MarkRequest, MarksFile
from eval.tutoring.pairs.pair import Choice, DialoguePair, PairCriterion, PairLabel

PAIR = Environment(autoescape=True).from_string(
    Path(__file__).with_name("pairs.html.jinja").read_text(encoding="utf-8")
)
_SAID = {"left": "that A is better", "right": "that B is better", "tie": "that neither is better"}


class PairRoom(MarkingRoom[DialoguePair, PairCriterion, Choice]):
    """Who compares which dialogues. Which tutor speaks stands nowhere on the page, nor in what it sends.

    Raises UsageError or RecordError for a person's name or file.
    """

    title = "two dialogues"
    heading = "Which tutor is better?"
    choices = (("left", "A is better (1)"), ("right", "B is better (2)"), ("tie", "Neither (3)"))
    keys = "Keys: 1 for A, 2 for B, 3 for neither, S to leave it for later, U to take the last one back."
    wide = True

    def __init__(
        self, pairs: Sequence[DialoguePair], criteria: Sequence[PairCriterion], folder: Path, people: Sequence[str]
    ) -> None:
        super().__init__(people, lambda person: Marking(pairs, criteria, MarksFile(folder, person, PairLabel)))

    def read_choice(self, button: str, person: str, item: DialoguePair) -> Choice:
        if button == "tie":
            return "tie"
        return "other" if (button == "left") == item.is_swapped(person) else "one"

    def show_item(self, person: str, item: DialoguePair) -> str:
        """Both dialogues, on the sides that they have for this person."""
        left, right = (item.other, item.one) if item.is_swapped(person) else (item.one, item.other)
        return PAIR.render(title=item.title, description=item.description, sides={"A": left, "B": right})

    def show_criterion(self, person: str, asked: MarkRequest[DialoguePair, PairCriterion, Choice]) -> str:
        criterion, before = asked.rubric, ""
        if asked.given is not None:
            said = next(name for name in _SAID if self.read_choice(name, person, asked.item) == asked.given)
            before = f"<p>You said before {_SAID[said]}.</p>"
        grades = "".join(
            f"<p><b>{name}:</b> {escape(text)}</p>"
            for name, text in (
                ("Weak", criterion.weak), ("Moderate", criterion.moderate), ("Excellent", criterion.excellent)
            )
        )  # fmt: skip
        return f"<h2>{escape(criterion.title)}</h2><p>{escape(criterion.question)}</p>{grades}{before}"
