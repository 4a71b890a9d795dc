"""Rubrics as files: those that come with Scribe, and what can be wrong with one's own."""

from pathlib import Path

import pytest

from eval.judge import rubric
from eval.judge.prompt import collect_material, fence_material, make_messages
from scribe.plumbing.errors import UsageError
from tests.eval.judge.answered import TOOLS, record

GOOD = (
    'title = "Warmth"\nyes = "It is kind."\nno = "It is not."\nsteps = ["Look for kindness."]\ndecision = "LAST WORD"\n'
)


def test_the_five_criteria_of_the_paper_are_there() -> None:
    assert {each.id for each in rubric.load()} == {
        "relevance",
        "actionability",
        "tool_relevance",
        "language",
        "correctness",
    }


@pytest.mark.parametrize("each", rubric.load(), ids=lambda each: each.id)
def test_a_request_holds_one_criterion_whole_and_ends_with_its_lines(each: rubric.Rubric) -> None:
    text = make_messages(fence_material(collect_material(record(), TOOLS), (each.decision,)), each)[-1]["content"]
    assert all(step in text for step in (each.yes, each.no, *each.steps))
    assert text.endswith(f"{each.line('YES')}\nor\n{each.line('NO')}")
    assert not [other.title for other in rubric.load() if other != each and f"Criterion: {other.title}" in text]


def test_a_campus_can_add_its_own(tmp_path: Path) -> None:
    (tmp_path / "warmth.toml").write_text(GOOD)
    (made,) = rubric.load(tmp_path)
    assert (made.id, made.title, made.line("NO")) == ("warmth", "Warmth", "LAST WORD: NO")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("title = ", "cannot be read as TOML"),
        (GOOD.replace("steps", "stages"), "steps: Field required"),
        (GOOD + "stages = []", "stages: Unexpected"),
        (GOOD.replace('"It is kind."', '" "'), "yes: String should have at least 1"),
        (GOOD.replace('no = "It is not."\n', ""), "no: Field required"),
        (GOOD.replace('["Look for kindness."]', '"Look"'), r"steps\S*: .*a rubric has .*a list of texts"),
        (GOOD.replace('["Look for kindness."]', '["Look", ""]'), r"steps\S*: .*a rubric has .*a list of texts"),
        (GOOD.replace('"Warmth"', '["Warmth"]'), "title: Input should be a valid string"),
        (GOOD.replace('"Warmth"', "5"), "title: Input should be a valid string"),
        (GOOD.replace("LAST WORD", "VERDICT"), "decision: .*two or more words"),
        (GOOD.replace("LAST WORD", "LAST WORD: YES"), "decision: .*two or more words"),
    ],
)
def test_what_is_wrong_with_a_rubric_is_said_with_file_and_key(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "warmth.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=complaint) as raised:
        rubric.load(tmp_path)
    assert str(path) in str(raised.value)


def test_an_unknown_criterion_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="relevence; it has actionability, correctness"):
        rubric.load(wanted=["relevence"])
    with pytest.raises(UsageError, match="holds no rubric"):
        rubric.load(tmp_path)
    (tmp_path / "My Rubric.toml").write_text(GOOD)
    with pytest.raises(UsageError, match="rename the file"):
        rubric.load(tmp_path)
