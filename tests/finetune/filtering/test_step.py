"""Every reason for which a trajectory is dropped, on answered trajectories that something was done to."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from data.pretrained.conversion import open_base_folder
from eval.judge import rubric
from eval.judge.judgement import LOCAL, Judgement, digest_answer, to_json
from finetune.filtering import rules
from finetune.filtering.step import dropped_path, make_step
from finetune.settings import FilterSettings
from scribe import records
from scribe.plumbing.errors import RecordError, UsageError
from scribe.plumbing.manifest import read_step
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Exchange, Fault, Observation, Stop, Trajectory
from tests.scribe.scene import answer, call
from tests.scribe.scripted import ScriptedBackend
from tools.assembly.assistant import Assistant
from tools.conversation import make_task

CRITERIA = tuple(each.id for each in rubric.load())
ABOUT = "Week 6 is about Sampling and interpolation."
Sift = Callable[..., dict[str, str]]


def converse(room: Assistant, id: str, question: str, *turns: str, history: tuple[Exchange, ...] = ()) -> Record:
    """A question of a real student, answered by these turns."""
    asked = Trajectory(make_task(room.course, "s041", question, history=history))
    done = replace(room, backend=ScriptedBackend(turns)).agent("s041").run(asked)
    return Record.of(done, id, {"name": "some model"})


@pytest.fixture(scope="module")
def good(room: Assistant) -> Record:
    return converse(room, "good", "What is week 6 about?", call("map_week_to_topic", week=6), answer(ABOUT))


@pytest.fixture
def sift(tmp_path: Path) -> Sift:
    """Filters records and gives the reason against each that was dropped, by id."""

    def sifted(*given: Record, **settings: object) -> dict[str, str]:
        path, out = tmp_path / "t.jsonl", tmp_path / "kept.jsonl"
        records.write(path, given)
        try:
            make_step(FilterSettings(**settings), path, open_base_folder(), out).run()  # type: ignore[arg-type]
        except UsageError as error:
            assert "passes the filter" in str(error)
            return {"all": str(error)}
        dropped = [json.loads(line) for line in dropped_path(out).read_text().splitlines()]
        kept = [each.id for each in records.read(out)]
        assert sorted([*kept, *(each["id"] for each in dropped)]) == sorted(each.id for each in given)
        return {each["id"]: each["reason"] for each in dropped}

    return sifted


def said(record: Record, text: str, id: str = "bad") -> Record:
    """The record with another answer."""
    return replace(record, id=id, answer=text, steps=(*record.steps[:-1], Answer("I know.", text)))


def test_every_good_conversation_is_kept(room: Assistant, good: Record, sift: Sift) -> None:
    earlier = (Exchange("What is week 6 about?", ABOUT),)
    given = [
        converse(room, "grade", "What is my grade?", call("grade_calculator"), answer("Hand in what is still open.")),
        converse(room, "decline", "Will it rain?", answer("I can help with your course and your report only.")),
        converse(
            room, "follows", "And 7?", call("map_week_to_topic", week=7), answer("Look at 7 too."), history=earlier
        ),
        converse(
            room,
            "recovered",
            "What is wk15 about?",
            call("map_week_to_topic", week=15),
            answer("There is no week 15 here; ask me about another one."),
        ),
    ]
    assert sift(good, *given) == {}


def test_an_answer_that_nothing_supports_is_dropped(good: Record, sift: Sift) -> None:
    bad = said(good, "Week 6 has 4711 topics, and all of them are in the book.")
    assert sift(good, bad) == {"bad": rules.UNSUPPORTED}
    assert sift(good, bad, grounded=False) == {}


def test_more_mistakes_than_are_let_pass_are_dropped(good: Record, sift: Sift) -> None:
    fault = Fault("[REASONING] Hm.", "The turn has neither.")
    act = good.steps[0]
    assert isinstance(act, Act)
    refused = replace(act, observations=(replace(act.observations[0], ok=False),))
    one = replace(good, id="one", steps=(fault, *good.steps))
    two = replace(good, id="two", steps=(fault, refused, *good.steps))
    assert sift(good, one, two) == {"two": rules.NEEDLESS_FAULT}
    assert sift(good, one, two, faults=0) == {"one": rules.NEEDLESS_FAULT, "two": rules.NEEDLESS_FAULT}
    assert sift(good, one, two, faults=2) == {}


def test_the_same_call_twice_is_dropped_unless_the_first_was_refused(good: Record, sift: Sift) -> None:
    act = good.steps[0]
    assert isinstance(act, Act)
    twice = replace(good, id="twice", steps=(act, *good.steps))
    other = replace(act, calls=(Call("map_week_to_topic", {"week": 7}),))
    refused = replace(act, observations=(replace(act.observations[0], ok=False),))
    once = [replace(good, id=str(at), steps=(step, *good.steps)) for at, step in enumerate((other, refused))]
    given = (good, twice, *once)
    assert sift(*given) == {"twice": rules.NEEDLESS_CALL}
    assert sift(*given, needless_calls=True) == {}


def test_what_was_kept_and_why_the_rest_was_not_is_counted(good: Record, sift: Sift, tmp_path: Path) -> None:
    sift(good, said(good, "Week 6 has 4711 topics, and all of them are in the book."))
    read = read_step(tmp_path / "kept.jsonl")
    assert read is not None and read.models == ["some model"]
    assert read.counts == {"rows": 2, "kept": 1, "dropped": {rules.UNSUPPORTED: 1}}


def test_lengths_are_counted_in_tokens_of_the_model(good: Record, sift: Sift) -> None:
    short, long = said(good, "Yes.", "short"), said(good, "Yes, have a look. " * 200, "long")
    assert sift(good, short, long) == {"short": rules.ANSWER_TOO_SHORT, "long": rules.ANSWER_TOO_LONG}
    assert sift(good, short, long, min_answer_length=0, max_answer_length=0) == {}
    wordy = replace(good, id="wordy", task=replace(good.task, question="What is week 6 about? " * 300))
    assert sift(good, wordy, max_length=2500) == {"wordy": rules.TOO_LONG}


def test_a_record_without_an_answer_is_dropped_whatever_else_is_wrong(good: Record, sift: Sift) -> None:
    open_ended = replace(good, id="open", steps=good.steps[:1], answer=None, stop=Stop.UNRESOLVED)
    assert sift(good, open_ended) == {"open": rules.UNANSWERED}


def write_verdicts(
    path: Path, *said: tuple[str, str, str], judge: str = "a-judge", run: str = "t", repeat: int = 0
) -> list[str]:
    """Lines on these answers: YES by every criterion but where (answer, criterion, verdict) says otherwise."""
    texts = {each.id: digest_answer(each) for each in records.read(path)}
    other = {(answer, criterion): verdict for answer, criterion, verdict in said}
    made = [(id, criterion, other.get((id, criterion), "yes")) for id in texts for criterion in CRITERIA]
    return [
        to_json(Judgement(id, run, criterion, judge, judge, repeat, verdict, "So.", 0.1, 1, 1, "f", texts[id]))  # type: ignore[arg-type]
        for id, criterion, verdict in made
        if verdict != "missing"
    ]


@pytest.fixture
def judged(good: Record, tmp_path: Path) -> Path:
    path = tmp_path / "t.jsonl"
    records.write(path, [replace(good, id=id) for id in ("a", "b", "c", "d")])
    return path


def reasons(path: Path, lines: list[str], **settings: object) -> dict[str, str]:
    """The reasons against the answers, given a file of these judgements."""
    judgements, out = path.with_name("judgements.jsonl"), path.with_name("kept.jsonl")
    judgements.write_text("\n".join(lines) + "\n")
    make_step(FilterSettings(judgements=str(judgements), max_length=0, **settings), path, open_base_folder(), out).run()  # type: ignore[arg-type]
    return {(line := json.loads(each))["id"]: line["reason"] for each in dropped_path(out).read_text().splitlines()}


def test_only_what_a_judge_finds_good_by_every_criterion_is_kept(judged: Path) -> None:
    lines = write_verdicts(
        judged, ("b", "correctness", "no"), ("c", "relevance", "missing"), ("d", "language", "unparsed")
    )
    assert reasons(judged, lines) == {
        "b": rules.JUDGED_NO.format(criterion="correctness"),
        "c": rules.NOT_JUDGED,
        "d": rules.UNREADABLE,
    }
    assert reasons(judged, lines, criteria=("actionability", "relevance")) == {"c": rules.NOT_JUDGED}


def test_verdicts_on_a_text_that_has_changed_since_are_none(judged: Path) -> None:
    lines = write_verdicts(judged)
    rows = list(records.read(judged))
    records.write(judged, [replace(rows[0], task=replace(rows[0].task, question="And now?")), *rows[1:]])
    assert reasons(judged, lines) == {"a": rules.NOT_JUDGED}


def test_of_several_verdicts_every_one_must_be_yes(judged: Path) -> None:
    once = write_verdicts(judged, ("a", "correctness", "no"), ("c", "language", "unparsed"))
    again = write_verdicts(judged, ("b", "correctness", "no"), repeat=1)
    refused = rules.JUDGED_NO.format(criterion="correctness")
    assert reasons(judged, [*once, *again]) == {"a": refused, "b": refused, "c": rules.UNREADABLE}


def test_it_must_be_clear_whose_verdicts_on_which_run_count(judged: Path) -> None:
    own, other = write_verdicts(judged), write_verdicts(judged, ("a", "correctness", "no"), judge="b-judge")
    with pytest.raises(UsageError, match="verdicts of a-judge, b-judge; name one"):
        reasons(judged, [*own, *other])
    with pytest.raises(UsageError, match="no verdict of 'c-judge'"):
        reasons(judged, [*own, *other], judge="c-judge")
    assert reasons(judged, [*own, *other], judge="b-judge") == {"a": rules.JUDGED_NO.format(criterion="correctness")}
    elsewhere = [write_verdicts(judged, ("b", "correctness", "no"), run=run) for run in ("x", "y")]
    assert reasons(judged, [*own, *elsewhere[0]]) == {}
    with pytest.raises(UsageError, match="on x, y, of which none is called t"):
        reasons(judged, [*elsewhere[0], *elsewhere[1]])


def test_the_checks_without_a_model_are_no_judge_and_criteria_must_exist(judged: Path) -> None:
    with pytest.raises(UsageError, match="no verdict of a judge"):
        reasons(judged, write_verdicts(judged, judge=LOCAL))
    with pytest.raises(UsageError, match="no criterion charm"):
        reasons(judged, write_verdicts(judged), criteria=("charm",))


def test_a_file_that_is_wrong_is_named_with_its_line(good: Record, tmp_path: Path) -> None:
    path, out = tmp_path / "t.jsonl", tmp_path / "kept.jsonl"
    path.write_text(records.to_json(good) + "\nnonsense\n")
    with pytest.raises(RecordError, match=r"t\.jsonl:2"):
        make_step(FilterSettings(), path, open_base_folder(), out).run()
    records.write(path, [good, good])
    with pytest.raises(RecordError, match="'good' is there twice"):
        make_step(FilterSettings(), path, open_base_folder(), out).run()
    records.write(path, [replace(good, task=replace(good.task, course="nowhere"))])
    with pytest.raises(RecordError, match="filter] courses"):
        make_step(FilterSettings(), path, open_base_folder(), out).run()
    assert not out.exists()


def test_a_done_filter_does_nothing_and_another_setting_makes_it_run(good: Record, tmp_path: Path) -> None:
    path, out = tmp_path / "t.jsonl", tmp_path / "kept.jsonl"
    records.write(path, [good])
    make_step(FilterSettings(), path, open_base_folder(), out).run()
    before = out.stat().st_mtime_ns
    make_step(FilterSettings(), path, open_base_folder(), out).run()
    assert out.stat().st_mtime_ns == before
    make_step(FilterSettings(faults=3), path, open_base_folder(), out).run()
    made = read_step(out)
    assert out.stat().st_mtime_ns != before and made is not None
    assert made.settings == json.loads(json.dumps(asdict(FilterSettings(faults=3))))


def test_nothing_left_to_learn_from_is_an_error(good: Record, sift: Sift) -> None:
    assert rules.UNSUPPORTED in sift(said(good, "Week 6 has 4711 topics, all of them short."))["all"]


def test_tools_that_no_model_is_trained_with_are_kept_out(room: Assistant, good: Record, sift: Sift) -> None:
    assert set(room.agent("s010").toolbox.by_name) == rules.TAUGHT

    def also(name: str, ok: bool) -> Record:
        act = Act("I look.", (Call(name, {"query": "week 6"}),), (Observation(ok, '{"says": "Something."}'),))
        return replace(good, id=f"{name} {ok}", steps=(act, *good.steps))

    found = sift(
        good, also("web_search", True), also("web_search", False), also("calculator", True), also("wikk", False)
    )
    assert found == dict.fromkeys(("web_search True", "web_search False", "calculator True"), rules.OUTSIDE)
