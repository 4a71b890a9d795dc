"""Choosing one of several drafts."""

import pytest

from scribe.tutor.session import TokenUse
from scribe.tutor.speaking import Speaker, TurnDraft
from scribe.verify.choosing import PromptedChoice, RandomChoice, VerifiedChoice, draw_and_choose, find_best
from tests.scribe.scripted import ScriptedBackend
from tests.scribe.tutor.lesson import SESSION, guard, turn
from tests.scribe.verify.scripted import ScriptedVerifier

DRAFTS = tuple(TurnDraft(text, use=TokenUse(1, 1)) for text in ("a", "bbb", "ccc"))


def test_the_highest_reward_wins_and_the_first_on_ties() -> None:
    verifier = ScriptedVerifier(len)
    choice = VerifiedChoice(verifier).choose(SESSION, DRAFTS, 0)
    assert (choice.place, choice.rewards, choice.use) == (1, (1.0, 3.0, 3.0), TokenUse(3, 0))
    assert verifier.asked == [("a", "bbb", "ccc")]
    assert find_best([0.2, 0.2]) == 0


def test_chance_is_the_same_for_the_same_seed_and_takes_each_in_time() -> None:
    places = [RandomChoice().choose(SESSION, DRAFTS, seed).place for seed in range(40)]
    assert places == [RandomChoice().choose(SESSION, DRAFTS, seed).place for seed in range(40)]
    assert set(places) == {0, 1, 2}


@pytest.mark.parametrize(("said", "place"), [("2", 1), ("Draft 3.", 2), ("the best", 0), ("9", 0), ("0", 0)])
def test_the_model_names_a_draft_or_the_first_is_taken(said: str, place: int) -> None:
    backend = ScriptedBackend([turn(said)])
    choice = PromptedChoice(Speaker(backend, guard)).choose(SESSION, DRAFTS, 0)
    assert choice.place == place
    assert choice.use.prompt > 0
    assert "Draft 2:\nbbb" in backend.prompts[0][-1].content


def test_drafts_stand_in_the_order_of_their_numbers_whoever_is_ready_first() -> None:
    choice = draw_and_choose(
        lambda number: TurnDraft(f"t{number}"), 9, VerifiedChoice(ScriptedVerifier(len)), SESSION, 0, 4
    )
    assert [each.text for each in choice.drafts] == [f"t{number}" for number in range(9)]
    assert choice.place == 0


def test_empty_drafts_are_not_chosen_and_their_tokens_count() -> None:
    drafts = {0: TurnDraft("", use=TokenUse(5, 5)), 1: TurnDraft("x", use=TokenUse(1, 1))}
    choice = draw_and_choose(drafts.__getitem__, 2, VerifiedChoice(ScriptedVerifier(len)), SESSION, 0)
    assert [each.text for each in choice.drafts] == ["x"]
    assert choice.use == TokenUse(6, 5)


def test_where_all_are_empty_nobody_is_asked() -> None:
    verifier = ScriptedVerifier(len)
    choice = draw_and_choose(lambda number: TurnDraft("", use=TokenUse(1, 1)), 3, VerifiedChoice(verifier), SESSION, 0)
    assert not verifier.asked
    assert len(choice.drafts) == 3
    assert choice.use == TokenUse()
