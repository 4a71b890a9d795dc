"""What nothing in the data could bear out is refused, and what the composed reports say is not."""

from collections.abc import Iterator

import pytest

from data.reports.claims import check_open
from data.reports.claims_values import Facts
from data.reports.llm import write_by_llm
from data.reports.phrasebook import fill_slots
from data.reports.sentences import read_sentences
from tests.data.reports.anns_report import ANN, REPORT, anns_class, find_faults
from tests.data.reports.phrases import list_forms, list_phrases
from tests.data.reports.test_llm import ScriptedModel

SLOTS = {
    "course": "Digital Signal Processing", "left": "five weeks", "done": "five weeks", "topic": "Interpolation",
    "week": "week 5", "typical": "100 minutes", "noun": "your total study time", "target": "90 minutes",
    "points": "your total study time in week 5", "belong": "belongs", "their": "its",
    "marks": "27 of 36 percent", "mark": "60 percent",
}  # fmt: skip
CLAIMS = [
    ("You will pass.", "cannot be promised"),
    ("With this you are certain to fail.", "cannot be promised"),
    ("Your teacher has reported you.", "what others did"),
    ("You spent ten hours on lectures in week 5.", "a number in words"),
    ("You are in the top of the class.", "a place among others"),
    ("Most of the class did worse than you.", "a place among others"),
    ("You never opened a video in week 3.", "always or never"),
    ("You are always late.", "always or never"),
    ("You should drop the course.", "leaving or repeating"),
    ("You did better in week 2 than in week 1.", "not compared with one another"),
    ("You opened every video.", "bears this out (You opened)"),
    ("Your attendance was poor.", "bears this out (Your attendance)"),
    ("You are lazy.", "character"),
    ("The start was weak.", "first weeks are not summed up"),
    ("Your total study time has dropped.", "total study time: name the week"),
    ("As long as this stays as it is, so does the outlook.", "no other way"),
    ("There is no way around it.", "no other way"),
    ("A better outlook needs movement on exactly this.", "no other way"),
    ("Take this away and the picture changes.", "no other way"),
    ("Where you stand depends on this, so guard it.", "no other way"),
    ("Without a change here, other efforts can do only so much.", "no other way"),
]


@pytest.mark.parametrize(("sentence", "reason"), CLAIMS)
@pytest.mark.parametrize("place", ["part", "end"])
def test_a_claim_that_no_data_could_bear_out_is_refused(sentence: str, reason: str, place: str) -> None:
    told = f" {sentence}\n- **Robust"
    text = REPORT.replace("\n- **Robust", told) if place == "part" else f"{REPORT}\n{sentence}\n"
    faults = find_faults(text, ANN, anns_class())
    assert any(reason in fault and sentence in fault for fault in faults), faults


@pytest.mark.parametrize(
    "sentence",
    [
        "You can do this, and I am glad to help.",
        "Come to me if you get stuck.",
        "New ideas need practice.",
        "There may be other ways, but this is the one I found.",
        "Your routine is in your own hands.",
    ],
)
def test_a_kind_word_is_let_through(sentence: str) -> None:
    assert find_faults(f"{REPORT}\n{sentence}\n", ANN, anns_class()) == []


def phrases_filled() -> Iterator[str]:
    for place, phrase in list_phrases():
        if not place.startswith(("frames", "tails", "rank", "steps")):  # no sentences by themselves
            yield from (fill_slots(form, SLOTS) for form in list_forms(phrase))


def test_no_phrase_of_the_composed_reports_is_refused() -> None:
    facts = Facts(ANN, anns_class())
    for text in phrases_filled():
        faults = [fault for one in read_sentences(text, anns_class()) for fault in check_open(one, facts)]
        assert faults == [], text


def test_a_model_that_keeps_claiming_gives_way_and_is_told_the_reason() -> None:
    wrong = f"{REPORT}\nYou will pass.\n"
    model = ScriptedModel("My analysis.", wrong, wrong)
    written = write_by_llm(model, anns_class(), ANN, "nr", attempts=1)
    assert written[1] == "composed"
    assert "what will become of it cannot be promised (will pass): You will pass." in model.heard[2][-1].content
