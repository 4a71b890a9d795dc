"""People label blind: which answers, in which order, and what is on the disk after each press."""

from pathlib import Path

import pytest

from eval.agreement.labelling import Labelling, LabelsFile, draw_sample
from eval.agreement.marking import sort_for
from eval.judge import rubric
from eval.judge.judgement import read_labels
from scribe.plumbing.errors import RecordError, ScribeError, UsageError
from tests.eval.agreement.files import answers

RUBRICS = rubric.load(wanted=("relevance", "correctness"))
IDS = [f"q{number}" for number in range(10)]


def begun(folder: Path, person: str = "ana") -> Labelling:
    items = draw_sample([answers(folder / f"{run}.jsonl", IDS) for run in ("tuned", "base")])
    return Labelling(items, RUBRICS, folder / "labels", person)


def test_the_same_questions_are_drawn_of_every_run(tmp_path: Path) -> None:
    files = [answers(tmp_path / "tuned.jsonl", IDS), answers(tmp_path / "base.jsonl", IDS[3:])]
    drawn = [item.name for item in draw_sample(files, questions=4, seed=1)]
    assert len(drawn) == 8
    assert {name.removeprefix("tuned#").removeprefix("base#") for name in drawn} <= set(IDS[3:])
    assert drawn == [item.name for item in draw_sample(files, questions=4, seed=1)]
    assert drawn != [item.name for item in draw_sample(files, questions=4, seed=2)]


def test_the_order_is_each_persons_own_and_stays(tmp_path: Path) -> None:
    items = draw_sample([answers(tmp_path / "tuned.jsonl", IDS)])
    assert sort_for("ana", items) == sort_for("ana", items[::-1])
    assert sort_for("ana", items) != sort_for("ben", items)


@pytest.mark.parametrize(("one", "other"), [(["q1"], ["q2"]), (["q1"], [])])
def test_runs_without_a_question_in_common_are_refused(tmp_path: Path, one: list[str], other: list[str]) -> None:
    with pytest.raises(ScribeError, match=r"same questions|no answer"):
        draw_sample([answers(tmp_path / "a.jsonl", one), answers(tmp_path / "b.jsonl", other)])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"gone\.jsonl"):
        draw_sample([tmp_path / "gone.jsonl"])


def test_all_is_asked_once_and_an_answer_is_read_once(tmp_path: Path) -> None:
    labelling = begun(tmp_path)
    asked, seen = labelling.next(), []
    while asked is not None:
        seen.append(asked.item.name)
        asked = labelling.label(asked.number, True)
    assert len(seen) == labelling.count == labelling.done == 40
    assert seen[::2] == seen[1::2]


def test_each_label_is_in_the_file_and_the_next_start_goes_on(tmp_path: Path) -> None:
    labelling = begun(tmp_path)
    following = labelling.label(0, False)
    (kept,) = read_labels(tmp_path / "labels" / "ana.jsonl")
    assert (kept.person, kept.value) == ("ana", False)
    assert begun(tmp_path).next() == following


def test_an_answer_that_was_given_anew_is_asked_again(tmp_path: Path) -> None:
    given = draw_sample([answers(tmp_path / "tuned.jsonl", IDS[:1])])
    Labelling(given, RUBRICS[:1], tmp_path / "labels", "ana").label(0, True)
    path = tmp_path / "tuned.jsonl"
    path.write_text(path.read_text().replace(" says ", " tells "))
    again = Labelling(draw_sample([path]), RUBRICS[:1], tmp_path / "labels", "ana")
    assert (again.done, again.at(0).given) == (0, None)
    again.label(0, False)
    before, after = read_labels(tmp_path / "labels" / "ana.jsonl")
    assert before.of != after.of


def test_the_same_press_twice_is_one_label_and_another_one_corrects_it(tmp_path: Path) -> None:
    labelling = begun(tmp_path)
    labelling.label(0, True)
    labelling.label(0, True)
    assert len([*read_labels(tmp_path / "labels" / "ana.jsonl")]) == 1
    labelling.label(0, False)
    assert labelling.at(0).given is False
    assert labelling.done == 1


def test_what_was_left_for_later_comes_at_the_end(tmp_path: Path) -> None:
    labelling = begun(tmp_path)
    skipped = labelling.next(after=0)
    assert skipped is not None
    assert skipped.number == 1
    for number in range(1, labelling.count):
        last = labelling.label(number, True)
    assert last is not None
    assert last.number == 0


def test_the_last_label_can_be_taken_back(tmp_path: Path) -> None:
    labelling = begun(tmp_path)
    labelling.label(0, True)
    labelling.label(1, True)
    asked = labelling.back()
    assert asked is not None
    assert (asked.number, asked.given, labelling.done) == (1, None, 1)
    labelling.back()
    assert labelling.back() == labelling.at(0)


def test_people_do_not_touch_each_others_labels(tmp_path: Path) -> None:
    begun(tmp_path).label(0, True)
    ben = begun(tmp_path, "ben")
    ben.back()
    assert (ben.done, begun(tmp_path).done) == (0, 1)


def test_a_whole_line_that_only_lacks_its_end_is_kept(tmp_path: Path) -> None:
    file = LabelsFile(tmp_path, "ana")
    file.add(("tuned#q1", "0a", "relevance"), True)
    file.path.write_bytes(file.path.read_bytes().rstrip())  # as editors leave a file
    again = LabelsFile(tmp_path, "ana")
    again.add(("tuned#q2", "0a", "relevance"), False)
    assert again.labels() == {("tuned#q1", "0a", "relevance"): True, ("tuned#q2", "0a", "relevance"): False}


def test_taking_back_never_removes_a_label_of_other_answers(tmp_path: Path) -> None:
    labelling = begun(tmp_path)
    other = LabelsFile(tmp_path / "labels", "ana")
    other.add(("older#q1", "0a", "relevance"), True)
    assert labelling.back() == labelling.at(0)
    assert other.labels() == {("older#q1", "0a", "relevance"): True}


def test_a_line_of_something_else_is_named_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "ana.jsonl").write_text("hello\n")
    with pytest.raises(RecordError, match=r"ana\.jsonl:1"):
        LabelsFile(tmp_path, "ana")


@pytest.mark.parametrize("name", ["", "../ana", "a/b", ".hidden", "x" * 60])
def test_a_name_that_cannot_be_a_files_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name"):
        LabelsFile(tmp_path, name)


def test_a_number_that_was_never_asked_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="load the page again"):
        begun(tmp_path).label(400, True)
