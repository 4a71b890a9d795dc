"""The tutors, each by what it asks its model."""

from collections.abc import Sequence

import pytest

from scribe.backend import Sampling
from scribe.messages import Message
from scribe.plumbing.errors import UsageError
from scribe.tutor.methods.opening import NEED_VERIFIER, TUTORS, open_tutor
from scribe.tutor.session import Tutor, TutoringSession
from scribe.tutor.speaking import Speaker
from scribe.verify.bayesian import BayesianTracer
from tests.scribe.scripted import ScriptedBackend
from tests.scribe.tutor.lesson import BRIEF, SESSION, ScriptedBySeed, guard, turn
from tests.scribe.verify.scripted import ScriptedVerifier


def by_seed(prompt: Sequence[Message], sampling: Sampling) -> str:
    return turn(f"Question {sampling.seed}?")


def build(name: str, backend: ScriptedBySeed | ScriptedBackend, candidates: int = 4) -> Tutor:
    return open_tutor(name, Speaker(backend, guard), BayesianTracer(), ScriptedVerifier(len), candidates)


def test_vanilla_asks_once_and_says_it() -> None:
    backend = ScriptedBackend([turn("What is a sum?")])
    said = build("vanilla", backend).speak(SESSION)
    assert (said.text, said.candidates, said.belief) == ("What is a sum?", (), {})
    assert said.use.completion == len(turn("What is a sum?").split())


def test_self_refine_shows_the_draft_then_the_advice_and_says_the_third_text() -> None:
    backend = ScriptedBackend([turn("Draft."), turn("Shorter."), turn("Refined.")])
    said = build("self-refine", backend).speak(SESSION)
    assert said.text == "Refined."
    assert "Draft." in backend.prompts[1][-1].content
    assert "Draft." in backend.prompts[2][-1].content
    assert "Shorter." in backend.prompts[2][-1].content
    assert "I think" in backend.prompts[2][-2].content, "the last call sees the dialogue"
    assert [each.text for each in said.candidates] == ["Draft.", "Refined."]


def test_self_refine_keeps_its_draft_if_nothing_comes_after_it() -> None:
    backend = ScriptedBackend([turn("Draft."), turn("Shorter."), *[" [END_OF_REASONING]"] * 4])
    assert build("self-refine", backend).speak(SESSION).text == "Draft."


def test_tree_instruct_plans_questions_and_sees_its_earlier_ones() -> None:
    backend = ScriptedBackend([turn("Pending: all"), turn("Main: why?"), turn("Why?")] * 2)
    tutor = build("tree-instruct", backend)
    first = tutor.speak(TutoringSession(BRIEF))
    assert (first.text, first.thought) == ("Why?", "Main: why?")
    tutor.speak(TutoringSession(BRIEF).then(first))
    assert "Main: why?" in backend.prompts[4][-1].content
    assert "Main: why?" not in backend.prompts[1][-1].content
    assert "Pending: all" in backend.prompts[5][-1].content


def test_traver_says_the_candidate_of_the_highest_reward() -> None:
    lengths = iter(["bb", "aaaa", "c", "dddd"])
    backend = ScriptedBySeed(lambda prompt, sampling: turn(next(lengths)))
    tutor = open_tutor("traver", Speaker(backend, guard), BayesianTracer(), ScriptedVerifier(len), 4)
    said = tutor.speak(SESSION)
    assert len(said.text) == 4
    assert said.text == next(each.text for each in said.candidates if each.reward == 4.0), "the first on ties"
    assert said.use.prompt == 4 * 10 + 4, "the verifier's tokens count"
    assert said.belief.keys() == {"start", "each-price"}
    assert all("- start: " in prompt[0].content for prompt, _ in backend.asked)


def test_the_candidates_are_different_draws_and_the_same_again_with_the_same_seed() -> None:
    first, second = (build("traver", ScriptedBySeed(by_seed)).speak(SESSION, 3) for _ in range(2))
    assert len({each.text for each in first.candidates}) == 4
    assert first == second
    assert first != build("traver", ScriptedBySeed(by_seed)).speak(SESSION, 4)


def test_without_tracing_only_the_belief_is_missing_from_the_prompt() -> None:
    traced, plain = ScriptedBySeed(by_seed), ScriptedBySeed(by_seed)
    build("traver", traced).speak(SESSION)
    assert build("traver-no-tracing", plain).speak(SESSION).belief == {}
    with_belief, without = traced.asked[0][0], plain.asked[0][0]
    assert with_belief[0].content.startswith(without[0].content), "the guidelines are unchanged"
    assert with_belief[1:] == without[1:]


def test_without_verifier_one_turn_is_drawn_and_its_prompt_is_the_same() -> None:
    alone, full = ScriptedBySeed(by_seed), ScriptedBySeed(by_seed)
    said = build("traver-no-verifier", alone).speak(SESSION)
    build("traver", full).speak(SESSION)
    assert len(alone.asked) == 1
    assert alone.asked[0] in full.asked
    assert said.belief


def test_candidates_that_are_empty_are_not_chosen_and_cost_all_the_same() -> None:
    texts = iter([" [END_OF_REASONING]"] * 4 + [turn("Good.")])
    backend = ScriptedBySeed(lambda prompt, sampling: next(texts))
    speaker = Speaker(backend, guard)
    tutor = open_tutor("traver", speaker, BayesianTracer(), ScriptedVerifier(len), 2)
    said = tutor.speak(SESSION)
    assert said.text == "Good."
    assert said.use.prompt == 5 * 10 + 1


def test_a_tutor_that_needs_a_verifier_says_so_and_an_unknown_one_is_refused() -> None:
    speaker = Speaker(ScriptedBackend([]), guard)
    for name in NEED_VERIFIER:
        with pytest.raises(UsageError, match="traver-no-verifier"):
            open_tutor(name, speaker, BayesianTracer())
    with pytest.raises(UsageError, match="there is no tutor 'plato'"):
        open_tutor("plato", speaker, BayesianTracer())


@pytest.mark.parametrize("name", TUTORS)
def test_each_tutor_bears_the_name_it_is_opened_by_and_counts_its_tokens(name: str) -> None:
    tutor = build(name, ScriptedBySeed(by_seed), 2)
    assert tutor.name == name
    said = tutor.speak(SESSION)
    assert said.text.startswith("Question ")
    assert said.use.prompt >= 10
