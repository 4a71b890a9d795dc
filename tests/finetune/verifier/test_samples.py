"""From recorded sessions to what the verifier learns from."""

from dataclasses import replace
from pathlib import Path

import pytest

from eval.tutoring.protocol.run import SESSIONS
from finetune.verifier.dialogues import make_dialogue, read_dialogues
from finetune.verifier.samples import assign_folds, list_folds, make_samples
from finetune.verifier.varied_tutor import VariedTutor
from scribe.plumbing.errors import RecordError, UsageError
from scribe.tutor.session import StudentTurn, TutoringSession
from scribe.verify.verifier_input import write_verifier_input
from tests.finetune.verifier.taught import make_session, write_run
from tests.scribe.tutor.lesson import BRIEF


def silent(done: int, total: int) -> None:
    """No progress is shown."""


def test_each_tutors_turn_is_read_as_at_run_time_before_it_was_said() -> None:
    dialogue = make_dialogue(make_session(BRIEF, BRIEF.components, 10), BRIEF)
    first, second = make_samples([dialogue])
    assert first.given == write_verifier_input(TutoringSession(BRIEF), BRIEF.components[0].text)
    assert second.given == write_verifier_input(
        TutoringSession(BRIEF, dialogue.whole.turns[:2]), BRIEF.components[1].text
    )
    assert (first.reward, second.reward) == pytest.approx((0.5, 1.0))
    assert (first.turn, second.turn) == (1, 2)


@pytest.mark.parametrize(("passes", "success"), [(0, False), (1, False), (4, False), (5, True), (10, True)])
def test_a_dialogue_succeeds_if_half_of_the_last_programs_pass(passes: int, success: bool) -> None:
    assert make_dialogue(make_session(BRIEF, [None], passes), BRIEF).success is success


def test_a_session_without_its_post_test_or_of_another_task_is_refused() -> None:
    session = make_session(BRIEF, [None], 10)
    with pytest.raises(RecordError, match="post-test is missing"):
        make_dialogue(replace(session, tests=session.tests[:-1]), BRIEF)
    with pytest.raises(RecordError, match="no component gone"):
        make_dialogue(replace(session, prior=("gone",)), BRIEF)


def test_folds_are_even_keep_a_task_together_and_do_not_depend_on_order() -> None:
    names = [f"task-{number}" for number in range(41)]
    folds = assign_folds(names)
    assert folds == assign_folds(reversed(names))
    sizes = [list(folds.values()).count(fold) for fold in range(5)]
    assert max(sizes) - min(sizes) <= 1
    assert list_folds(["task-1", "task-2", "task-1"], 2)[0] == list_folds(["task-1", "task-2", "task-1"], 2)[2]
    with pytest.raises(UsageError, match="2 tasks cannot be split into 5"):
        assign_folds(["a", "b"])


def test_a_run_is_read_with_briefs_that_name_their_tests(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", ["final-grade"])
    dialogues = read_dialogues([run], silent)
    assert [each.success for each in dialogues] == [False, True]
    assert all(each.tests for each in dialogues[0].whole.brief.components)
    assert [len(each) for each in dialogues[1].known] == [0, 1, 2]


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="scribe dict --out"):
        read_dialogues([tmp_path], silent)
    run = write_run(tmp_path / "run", ["final-grade"])
    with pytest.raises(UsageError, match=r"is in .* already"):
        read_dialogues([run, run], silent)
    (run / SESSIONS).write_text("{}\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"sessions\.jsonl:1"):
        read_dialogues([run], silent)


def test_the_varied_tutor_says_other_things_by_seed_and_the_same_by_the_same() -> None:
    session = TutoringSession(BRIEF).then(StudentTurn("What about the discount?"))
    said = [VariedTutor().speak(session, seed).text for seed in range(30)]
    assert said == [VariedTutor().speak(session, seed).text for seed in range(30)]
    assert all(said)
    told = [sum(each.text in text for each in BRIEF.components) for text in said]
    assert set(told) == {0, 1, 2}
