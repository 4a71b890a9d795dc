"""The conversations that come with Scribe: whole, about the right courses, and none that anything is measured with."""

import gzip
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import cohen_kappa_score

import eval as evaluation
from data.bundle import find
from finetune.conversations.dataset import (
    ANSWERS,
    FRESH,
    LEANING,
    SHIPPED,
    WORDINGS,
    read_dataset,
    read_wordings,
    replace_answers,
)
from finetune.conversations.step import make_step
from finetune.settings import TrajectorySettings
from scribe import records
from scribe.plumbing.errors import RecordError, UsageError
from scribe.records import Record
from scribe.trajectory import Act, Stop
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

MEASURED_WITH = ("student_questions.jsonl", "development.jsonl", "test_set.jsonl")
FRENCH = "French"
CRITERIA = ("relevant", "actionable", "tool", "correct", "language")


@pytest.fixture(scope="module")
def kept() -> list[Record]:
    return list(read_dataset())


def fold(question: str) -> str:
    return " ".join("".join(each if each.isalnum() else " " for each in question.casefold()).split())


def test_every_conversation_ended_with_an_answer_of_a_sensible_length(kept: list[Record]) -> None:
    assert len({record.id for record in kept}) == len(kept) > 4000
    for record in kept:
        assert record.stop is Stop.ANSWERED and record.answer, record.id
        assert 8 <= len(record.answer.split()) <= 130, record.id


def test_plain_answers_are_short_and_take_the_place_of_the_first_ones_alone(kept: list[Record]) -> None:
    plain = list(replace_answers(kept, ANSWERS["plain"]))
    for before, after in zip(kept, plain, strict=True):
        assert after.answer and 8 <= len(after.answer.split()) <= 75, after.id
        assert (after.id, after.task, after.steps[:-1]) == (before.id, before.task, before.steps[:-1])
    words = sorted(len((record.answer or "").split()) for record in plain)
    assert words[len(words) // 2] <= 55


@pytest.mark.parametrize("kind", ["plain", "close"])
def test_a_setting_says_whose_answers_are_learned_and_what_has_none_is_left_out(
    kept: list[Record], tmp_path: Path, kind: str
) -> None:
    nobody = replace(kept[0], id="nobody/1")
    records.write(tmp_path / "set.jsonl", [nobody, *kept[:20]])
    settings = TrajectorySettings(dataset=str(tmp_path / "set.jsonl"), answers=kind)  # type: ignore[arg-type]
    make_step(settings, tmp_path / "t.jsonl").run()
    with gzip.open(ANSWERS[kind], "rt", encoding="utf-8") as file:
        said = {line["id"]: line["answer"] for line in map(json.loads, file)}
    found = list(records.read(tmp_path / "t.jsonl"))
    assert [record.id for record in found] == [record.id for record in kept[:20] if record.id in said]
    assert [record.answer for record in found] == [said[record.id] for record in found]
    records.write(tmp_path / "set.jsonl", [nobody])
    with pytest.raises(UsageError, match=f"no conversation has an answer of the kind {kind}"):
        make_step(settings, tmp_path / "t.jsonl").run()


def test_a_line_that_is_no_rewritten_answer_is_named(kept: list[Record], tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text('{"id": "a", "answer": "Yes."}\n{"id": "b"}\n', encoding="utf-8")
    with pytest.raises(RecordError, match=r"answers\.jsonl:2: answer: Field required"):
        list(replace_answers(kept, tmp_path / "answers.jsonl"))


def test_the_course_that_is_held_out_is_not_among_them(kept: list[Record]) -> None:
    assert {record.task.course for record in kept} == {"dsp", "geo", "va"}


def test_no_question_of_theirs_is_one_that_is_measured_with(kept: list[Record]) -> None:
    folder = Path(str(evaluation.__file__)).parent
    lines = [line for name in MEASURED_WITH for line in (folder / name).read_text(encoding="utf-8").splitlines()]
    measured = {fold(json.loads(line)["question"]) for line in lines if line.strip()}
    fresh = {fold(each.question) for each in read_wordings(FRESH)}
    same = ({fold(record.task.question) for record in kept} | fresh) & measured
    assert not {question for question in same if len(question.split()) > 4}


def test_what_was_close_from_the_start_leans_on_earlier_answers_and_measures_nothing(kept: list[Record]) -> None:
    found = list(read_dataset(LEANING))
    assert {record.task.course for record in found} == {"dsp", "geo", "va"}
    assert not {record.id for record in found} & {record.id for record in kept}
    assert sum(bool(record.task.history) for record in found) > 100
    assert all(8 <= len((record.answer or "").split()) <= 60 for record in found)
    folder = Path(str(evaluation.__file__)).parent
    lines = [line for name in MEASURED_WITH for line in (folder / name).read_text(encoding="utf-8").splitlines()]
    assert not {fold(r.task.question) for r in found} & {
        fold(json.loads(one)["question"]) for one in lines if one.strip()
    }


def test_hardly_two_answers_open_alike(kept: list[Record]) -> None:
    openings = Counter(" ".join((record.answer or "").split()[:5]).casefold() for record in kept)
    assert max(openings.values()) <= len(kept) / 50


def test_all_nine_tools_french_follow_ups_and_recoveries_are_there(kept: list[Record]) -> None:
    acts = [step for record in kept for step in record.steps if isinstance(step, Act)]
    called = {call.name for act in acts for call, seen in zip(act.calls, act.observations, strict=True) if seen.ok}
    assert len(called) == 9
    assert sum(record.task.language == FRENCH for record in kept) > 900
    assert sum(bool(record.task.history) for record in kept) > 0.15 * len(kept)
    assert any(not seen.ok for act in acts for seen in act.observations)


def marks_of(name: str) -> dict[str, dict[str, Any]]:
    with gzip.open(SHIPPED.with_name(name), "rt", encoding="utf-8") as file:
        return {mark["id"]: mark for mark in map(json.loads, file)}


def test_two_readers_agree_on_what_is_correct_as_the_card_says() -> None:
    first, second = marks_of("marks.jsonl.gz"), marks_of("second_marks.jsonl.gz")
    assert all(mark["reader"] != first[id]["reader"] for id, mark in second.items())
    pairs = [(first[id]["correct"], mark["correct"]) for id, mark in second.items()]
    assert f"{cohen_kappa_score(*zip(*pairs, strict=True)):.2f}"[1:] == ".75"
    assert f"readers marked {len(pairs)} of them again" in " ".join(SHIPPED.with_name("README.md").read_text().split())


def test_a_second_reader_said_yes_to_each_in_all_but_brackets(kept: list[Record]) -> None:
    marks = marks_of("marks.jsonl.gz")
    for record in kept:
        mark = marks[record.id]
        refused = [name for name in CRITERIA if not mark[name]]
        assert not refused or (refused == ["language"] and "bracket" in mark["why"]), mark


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(SHIPPED.read_bytes()[:2000])
    with pytest.raises(RecordError, match=r"cut\.jsonl\.gz"):
        list(read_dataset(path))
    path.write_bytes(gzip.compress(b"{}\n"))
    with pytest.raises(RecordError, match=r"cut\.jsonl\.gz:1"):
        list(read_dataset(path))


@pytest.mark.parametrize(("path", "least"), [(WORDINGS, 16_000), (FRESH, 1_200)])
def test_the_wordings_call_tools_that_there_are_and_spare_the_course_that_is_held_out(path: Path, least: int) -> None:
    found = list(read_wordings(path))
    assert len({each.id for each in found}) == len(found) > least
    assert {each.course for each in found} == {"dsp", "geo", "va"}
    known = set(make_toolbox(find("dsp"), "s060", VectorStore(MiniLM())).by_name)
    assert {each.tool for each in found} <= known


def test_a_line_that_is_no_wording_is_named(tmp_path: Path) -> None:
    path = tmp_path / "w.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": "a"}\n'))
    with pytest.raises(RecordError, match=r"w\.jsonl\.gz:1: course: Field required"):
        list(read_wordings(path))
