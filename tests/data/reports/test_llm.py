"""Reports through a language model: two calls, corrections, and the composed report where it stays wrong."""

from collections.abc import Sequence

import pytest

from data.bundle_cohort import THEORIES
from data.reports.compose import write_report
from data.reports.findings import gather_findings
from data.reports.llm import write_by_llm
from scribe.messages import Message
from tests.data.reports.anns_report import ANN, REPORT, anns_class
from tests.data.reports.classes import made_up


class ScriptedModel:
    """Says what it was given, one turn after the other, and keeps what it was asked."""

    def __init__(self, *turns: str) -> None:
        self.turns = list(turns)
        self.heard: list[Sequence[Message]] = []

    def __call__(self, talk: Sequence[Message]) -> str:
        self.heard.append(talk)
        return self.turns.pop(0)


def test_a_right_letter_is_taken_as_it_is() -> None:
    model = ScriptedModel("My analysis.", REPORT)
    written = write_by_llm(model, anns_class(), ANN, "nr")
    assert written == (REPORT, "llm")
    assert [len(talk) for talk in model.heard] == [1, 3]
    assert [turn.role for turn in model.heard[1]] == ["user", "assistant", "user"]


def test_a_wrong_number_goes_back_with_the_right_one() -> None:
    model = ScriptedModel("My analysis.", REPORT.replace("only 40 minutes", "only 45 minutes"), f"\n{REPORT}\n")
    written = write_by_llm(model, anns_class(), ANN, "nr")
    assert written == (REPORT, "llm")
    correction = model.heard[2][-1]
    assert correction.role == "user"
    assert "total study time in week 5 is 40 minutes, not 45 minutes" in correction.content
    assert model.heard[2][:4][-1].content.startswith("Dear Ann")


def test_a_letter_that_stays_wrong_gives_way_to_the_composed_report() -> None:
    wrong = REPORT.replace("Sampling theorem", "JPEG")
    model = ScriptedModel("My analysis.", wrong, wrong, wrong)
    written = write_by_llm(model, anns_class(), ANN, "nr", attempts=2)
    assert written == (write_report(anns_class(), ANN, "nr"), "composed") and not model.turns
    assert "JPEG is taught in week 8" in model.heard[-1][-1].content


@pytest.mark.parametrize(
    ("letter", "theory", "complaint"),
    [
        (REPORT.replace("yet, and", "yet, and" + " so on" * 60), "nr", "words; it should have 80 to 200"),
        (REPORT[:300], "nr", "words; it should have 80 to 200"),
        ("", "nr", "the letter has 0 words"),
        (REPORT, "ac", "**Abnormal causes:**, **Recent events:**, **Controllable factors:**"),
    ],
)
def test_length_and_parts_go_back_too(letter: str, theory: str, complaint: str) -> None:
    model = ScriptedModel("My analysis.", letter, REPORT)
    write_by_llm(model, anns_class(), ANN, theory, attempts=1)
    assert complaint in model.heard[2][-1].content


def test_the_model_is_given_raw_units_the_class_and_the_way_the_change_leads() -> None:
    model = ScriptedModel("My analysis.", REPORT)
    write_by_llm(model, anns_class(), ANN, "nr")
    asked = model.heard[0][0].content
    for fact in (
        "1. total study time, week 5: 40 minutes, below the class median of 100 minutes; more of it leads to pass, "
        "as far as 90 minutes",
        "delay before watching lectures, week 3: 60 hours, above the class median of 20 hours; less of it leads to",
        "Enough by themselves to keep it:",
        "Outlook after 5 weeks: fail",
        "- total study time (minutes): Adds up",
        "share of pause clicks (percent)",
        "what is better depends",
        "- week 6 (Sampling and interpolation), still to come, 4 quizzes: Interpolation;",
        "- Aliasing (week 6) builds on Ideal filters (week 5)",
        "necessity and robustness",
    ):
        assert fact in asked, fact
    assert "0.2" not in asked.split("# The student")[1]  # the probability is nobody's business
    presented = model.heard[1][-1].content
    assert "- **Necessary causes:**" in presented and "At most 200 words" in presented and "week 6" in presented


@pytest.mark.parametrize("theory", THEORIES)
def test_prompts_are_complete_for_any_student_and_theory(theory: str) -> None:
    for course_id in ("geo", "lnv"):
        course = made_up(course_id)
        for student in list(course.students.values())[:15]:
            model = ScriptedModel("My analysis.", write_report(course, student, theory))
            assert write_by_llm(model, course, student, theory)[1] == "llm"
            text = "\n".join(turn.content for turn in model.heard[-1])
            assert "$" not in text and "None" not in text and "nan " not in text
            assert ("No set of changes was found" in text) == (not gather_findings(course, student).ranked)
