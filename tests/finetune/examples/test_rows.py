"""Rows: which ids a stage learns, which trajectories make none."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from finetune.conversations.dataset import QuestionWording
from finetune.examples import step as examples_step
from finetune.examples.quoting import add_quotes
from finetune.examples.rows import (
    CONTEXT,
    FIRST,
    LATER,
    QUOTED,
    RESULT,
    UNLABELLED,
    TokenRow,
    make_example,
    make_row,
    read_rows,
)
from finetune.settings import ExampleSettings, Stage
from scribe.backends.hf import chat_tokenizer
from scribe.plumbing.errors import RecordError, UsageError
from scribe.plumbing.manifest import read_step
from scribe.trajectory import Act, Answer, Exchange, Observation, Stop, Task, Trajectory
from scribe.transcript import to_messages
from tests.finetune.conversation import LISTING, WRONG, conversation, look, make_rows, write_records
from tests.scribe.backends.tiny import make_model

CALL = '[TOOL_CALL]{"name": "map_week_to_topic", "arguments": {"week": 2}}[END_OF_TOOL_CALL]'


@pytest.fixture(scope="session", params=["llama3", "smollm2"])
def base(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of each chat format."""
    return make_model(tmp_path_factory.mktemp("rows") / "base", kind=request.param)


@pytest.fixture(scope="session")
def rows(base: Path) -> list[TokenRow]:
    """Of this module's models: those of the other modules have another chat format."""
    return make_rows(base)


@pytest.fixture
def end(base: Path) -> str:
    """The control token that ends a turn."""
    return chat_tokenizer(base).format.end_of_turn


@pytest.fixture
def tokenizer(base: Path) -> Tokenizer:
    return Tokenizer.from_file(str(base / "tokenizer.json"))


def made(trajectory: Trajectory, base: Path, longest: int = 4000) -> TokenRow:
    found = make_row("r", trajectory, LISTING, chat_tokenizer(base), longest)
    assert isinstance(found, TokenRow)
    return found


def learned(found: TokenRow, stage: Stage, tokenizer: Tokenizer) -> str:
    chosen = make_example(found, stage)
    assert chosen is not None
    ids = chosen.labels[chosen.labels != UNLABELLED].tolist()
    return str(tokenizer.decode(ids, skip_special_tokens=False))


def test_the_first_stage_learns_the_first_reasoning_and_call_only(base: Path, tokenizer: Tokenizer, end: str) -> None:
    found = made(conversation(1, 2), base)
    assert learned(found, "first", tokenizer) == f" I look up week 2. [END_OF_REASONING]\n{CALL}{end}"
    chosen = make_example(found, "first")
    assert chosen is not None and chosen.labels[-1] != UNLABELLED
    assert chosen.ids.tolist() == found.ids[: len(chosen.ids)].tolist()


def test_the_second_stage_learns_what_comes_after_the_first_observation(
    base: Path, tokenizer: Tokenizer, end: str
) -> None:
    text = learned(made(conversation(1, 2), base), "later", tokenizer)
    assert text.startswith(" I look up week 3.") and text.endswith(f"says report 1.[END_OF_FINAL_ANSWER]{end}")
    assert "week 2." not in text


def test_a_brief_stage_learns_the_turns_without_prefix_results_and_quotes(base: Path, tokenizer: Tokenizer) -> None:
    seen = Observation(True, '{"week": 2, "watched": "5 of 12 videos"}')
    act = replace(look(2), observations=(seen,))
    answer = Answer("Not all of them.", "You watched 5 of the 12 videos.")
    found = made(Trajectory(conversation(1, 2).task, (act, answer), Stop.ANSWERED), base)
    chosen = make_example(found, "brief")
    assert chosen is not None and chosen.prefix == 0
    read, taught = tokenizer.decode(chosen.ids.tolist()), learned(found, "brief", tokenizer)
    assert "Report 1" not in read and read.count("5 of 12") == 1 and "> watched: 5 of 12 videos" in read
    assert "> watched" not in taught and taught.count("I look up week 2.") == taught.count("Not all of them.") == 1
    assert "> week: 2\n> watched: 5 of 12 videos\nNot all of them." in learned(found, "later", tokenizer)


def test_a_question_that_no_result_answers_is_no_brief_example(base: Path) -> None:
    assert make_example(made(conversation(1, 4), base), "brief") is None


def test_both_stages_together_learn_what_the_single_one_does(rows: list[TokenRow]) -> None:
    for each in rows:
        parts = [make_example(each, stage) for stage in ("first", "later", "single")]
        counts = [part.supervised if part else 0 for part in parts]
        assert counts[0] + counts[1] == counts[2] == int(np.isin(each.parts, (CONTEXT, RESULT), invert=True).sum())


def test_reports_results_faults_notices_and_earlier_answers_are_never_learned(base: Path, tokenizer: Tokenizer) -> None:
    asked = replace(conversation(2, 3).task, history=(Exchange("Hi", "Hello there."),))
    refused = Act("I guess.", look(9).calls, (Observation(False, '{"error": "no week 9"}'),))
    steps = (look(3), WRONG, refused, Answer("Now I know.", "It is Filters."))
    found = made(Trajectory(asked, steps, Stop.ANSWERED), base)
    text = learned(found, "single", tokenizer)
    for part in ("99", "Not so", "title", "Report 2", "Hello there", "no week 9", "I guess", "What is week 3"):
        assert part not in text
    assert "It is Filters." in text


def test_the_ids_are_those_of_the_chat_when_running(rows: list[TokenRow], base: Path) -> None:
    chat, whole = chat_tokenizer(base), add_quotes(conversation(0, 3))
    first = next(each for each in rows if each.id == "r0-3")
    told = to_messages(whole, LISTING)
    assert first.ids.tolist() == [i for ids, _ in chat.labelled(told) for i in ids]
    for count in range(len(whole.steps)):
        prompt = chat.prompt_ids(to_messages(replace(whole, steps=whole.steps[:count]), LISTING))
        assert first.ids[: len(prompt)].tolist() == prompt
        assert first.parts[len(prompt)] != CONTEXT or count == 1  # the fault is the second step


def test_a_question_answered_at_once_is_learned_in_the_first_stage(rows: list[TokenRow]) -> None:
    at_once = next(each for each in rows if each.id == "r0-4")
    assert make_example(at_once, "later") is None
    first, single = make_example(at_once, "first"), make_example(at_once, "single")
    assert first is not None and single is not None and first.labels.tolist() == single.labels.tolist()


def test_trajectories_that_teach_nothing_or_too_much_make_no_row_and_say_why(base: Path) -> None:
    chat, whole = chat_tokenizer(base), conversation(0, 2)
    size = len(made(whole, base).ids)
    assert make_row("r", whole, LISTING, chat, size - 1) == "too long"
    assert isinstance(make_row("r", whole, LISTING, chat, size), TokenRow)
    assert make_row("r", replace(whole, stop=Stop.UNRESOLVED), LISTING, chat, 4000) == "not answered"
    assert make_row("r", replace(whole, steps=(WRONG,)), LISTING, chat, 4000) == "nothing to learn"


def test_a_row_whose_labels_begin_in_its_prefix_is_refused() -> None:
    parts = np.array([CONTEXT, FIRST, LATER], np.int8)
    with pytest.raises(UsageError, match="row r has 1 labels on 2 ids behind a prefix of 2"):
        make_example(TokenRow("r", np.array([5, 6, 7], np.int32), parts, 2), "first")


def test_a_file_of_records_becomes_a_file_of_rows_and_its_manifest_counts_them(base: Path, tmp_path: Path) -> None:
    answered = [replace(conversation(0, n), task=replace(conversation(0, n).task, course="dsp")) for n in (1, 2)]
    file = write_records(tmp_path / "t.jsonl", *answered, answered[0].ended(Stop.UNRESOLVED))
    out = tmp_path / "examples.parquet"
    examples_step.make_step(ExampleSettings(), file, base, out).run()
    rows = read_rows(out)
    assert [each.id for each in rows] == ["q0", "q1"]
    found = read_step(out)
    assert found is not None and found.counts["dropped"] == {"not answered": 1}
    assert found.counts["labels_first"] == sum(int(np.isin(each.parts, (FIRST, FIRST | QUOTED)).sum()) for each in rows)
    assert "sort_student_features_with_importance" in encoded(rows[0], base)
    before = out.stat().st_mtime_ns
    examples_step.make_step(ExampleSettings(), file, base, out).run()
    assert out.stat().st_mtime_ns == before


def test_a_wording_teaches_its_reasoning_and_call_and_nothing_behind(base: Path, tokenizer: Tokenizer) -> None:
    said = QuestionWording(
        "w", "dsp", "English", "what is week 3 about?", "The plan of week 3.", "map_week_to_topic", {"week": 3}
    )
    (found,) = examples_step.make_first_turns([said], lambda course: "", chat_tokenizer(base), 4000)
    text = encoded(found, base)
    assert "what is week 3 about?" in text and "Digital Signal Processing" in text
    assert "The plan of week 3." in learned(found, "first", tokenizer) == learned(found, "single", tokenizer)
    assert '{"week": 3}' in learned(found, "first", tokenizer) and make_example(found, "later") is None
    assert examples_step.make_first_turns([said], lambda course: "", chat_tokenizer(base), 20) == []


def test_wordings_are_put_under_reports_of_their_course_and_language_sixteen_a_report(
    base: Path, tokenizer: Tokenizer
) -> None:
    def wording(number: int, language: str) -> QuestionWording:
        return QuestionWording(
            f"{language}-{number}",
            "geo",
            language,
            f"question {number}?",
            "The plan.",
            "map_week_to_topic",
            {"week": 3},
        )

    def task(report: str, language: str, course: str = "geo") -> Task:
        return Task(course, "s1", "?", report, "", language=language)

    tasks = [task("First.", "French"), task("First.", "French"), task("Second.", "French"), task("Third.", "English")]
    found = examples_step.make_first_turns(
        [*(wording(number, "French") for number in range(33)), wording(0, "English")],
        lambda course: "",
        chat_tokenizer(base),
        4000,
        tasks=[*tasks, task("Of another course.", "French", "dsp")],
    )
    reports = [next(name for name in ("First.", "Second.", "Third.") if name in encoded(row, base)) for row in found]
    assert reports == ["First."] * 16 + ["Second."] * 16 + ["First.", "Third."]


def test_two_records_of_one_id_are_refused(base: Path, tmp_path: Path) -> None:
    file = write_records(tmp_path / "t.jsonl", conversation(0, 1))
    file.write_bytes(file.read_bytes() * 2)
    with pytest.raises(RecordError, match=r"t\.jsonl: the id 'q0' is there twice"):
        examples_step.make_step(ExampleSettings(), file, base, tmp_path / "rows.parquet").run()


def test_a_file_that_holds_no_rows_is_refused_by_its_name(tmp_path: Path) -> None:
    broken = tmp_path / "rows.parquet"
    broken.write_text("no", encoding="utf-8")
    with pytest.raises(RecordError, match=r"rows\.parquet: not a file of examples"):
        read_rows(broken)


def encoded(found: TokenRow, base: Path) -> str:
    return str(Tokenizer.from_file(str(base / "tokenizer.json")).decode(found.ids.tolist()))
