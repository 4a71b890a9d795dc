"""One turn of a tutor's model."""

import pytest

from scribe.backend import Sampling
from scribe.plumbing.errors import BackendError, ContextFull
from scribe.tutor.session import TokenUse
from scribe.tutor.speaking import Speaker, TurnStopped, mix_seed, strip_reasoning
from tests.scribe.scripted import ScriptedBackend
from tests.scribe.tutor.lesson import BRIEF, SESSION, ScriptedBySeed, guard, turn

LEAK = "Write `total = 0`, then ```\nfor price in prices:\n    total += discount(price, 'x')\n```"


def speak(*turns: str, **more: object) -> tuple[ScriptedBackend, Speaker]:
    backend = ScriptedBackend(turns, **more)  # type: ignore[arg-type]
    return backend, Speaker(backend, guard)


def test_a_turn_has_its_note_and_text_and_only_an_answer_is_open_to_it() -> None:
    backend, speaker = speak(turn("What comes first?"))
    said = speaker.say(SESSION, 0)
    assert (said.text, said.thought) == ("What comes first?", "They lack one thing.")
    assert backend.constraints[0] is not None
    assert backend.constraints[0].allow == {"answer"}
    assert not backend.constraints[0].tools


@pytest.mark.parametrize(
    "bad", ["I ramble without an end", " x [END_OF_REASONING]\n[FINAL_ANSWER] [END_OF_FINAL_ANSWER]", turn(LEAK)]
)
def test_a_turn_that_cannot_be_said_is_drawn_again_and_all_tokens_count(bad: str) -> None:
    backend, speaker = speak(bad, turn("Better."))
    said = speaker.say(SESSION, 0)
    assert said.text == "Better."
    assert len(backend.prompts) == 2
    assert said.use.completion == len(bad.split()) + len(turn("Better.").split())
    assert said.use.prompt > 0


def test_each_try_has_another_seed_and_the_second_more_warmth() -> None:
    backend = ScriptedBySeed(lambda prompt, sampling: "no format")
    Speaker(backend, guard, Sampling(temperature=0.0), redraws=2).say(SESSION, 5)
    seeds = [sampling.seed for _, sampling in backend.asked]
    assert len(set(seeds)) == 3
    assert [sampling.temperature for _, sampling in backend.asked] == [0.0, 0.6, 0.6]


def test_at_last_the_text_without_reasoning_is_said() -> None:
    _, speaker = speak(*["I think. [END_OF_REASONING] What is a loop?"] * 4)
    assert speaker.say(SESSION, 0).text == "What is a loop?"


def test_a_turn_that_was_cut_off_ends_with_its_last_whole_sentence() -> None:
    _, speaker = speak(*[" a [END_OF_REASONING][FINAL_ANSWER]One thing. And the oth"] * 4, finish="length")
    assert speaker.say(SESSION, 0).text == "One thing."


def test_a_solution_is_never_said_even_if_nothing_else_is_written() -> None:
    _, speaker = speak(*[turn(f"Think. {LEAK}")] * 4)
    said = speaker.say(SESSION, 0)
    assert not guard().find_leaks(said.text, BRIEF.stub)
    assert said.text == "Think."


def test_a_malformed_turn_is_better_than_one_without_its_code() -> None:
    _, speaker = speak(turn(LEAK), "Plain words.", turn(LEAK), turn(LEAK))
    assert speaker.say(SESSION, 0).text == "Plain words."


def test_what_is_watched_comes_in_sentences_and_is_taken_back_if_it_is_drawn_again() -> None:
    seen = list[str]()
    backend = ScriptedBySeed(lambda prompt, sampling: turn("First.\nSecond.") if len(seen) else "x")
    Speaker(backend, guard, watch=seen.append, redraws=0).say(SESSION, 0)
    assert seen == []
    texts = iter(
        [
            " a [END_OF_REASONING]\n[FINAL_ANSWER]Good.\nThen\n" + LEAK + "\n[END_OF_FINAL_ANSWER]",
            turn("First.\nSecond."),
        ]
    )
    Speaker(ScriptedBySeed(lambda prompt, sampling: next(texts)), guard, watch=seen.append).say(SESSION, 0)
    assert seen[0] == "Good."
    taken = seen.index("")
    assert not any("total +=" in each for each in seen)
    assert seen[taken + 1 :] == ["First.", "First.\nSecond."]


class ScriptedNarrow(ScriptedBySeed):
    """Holds four messages."""

    def complete(self, prompt, *rest, **more):  # type: ignore[no-untyped-def]
        if len(prompt) > 3:
            raise ContextFull(100, 50)
        return super().complete(prompt, *rest, **more)


def test_the_oldest_turns_are_forgotten_where_the_context_is_full() -> None:
    said = Speaker(ScriptedNarrow(lambda prompt, sampling: turn("Short.")), guard).say(SESSION, 0)
    assert said.text == "Short."


def test_a_model_that_fails_is_not_hidden() -> None:
    _, speaker = speak()
    with pytest.raises(BackendError):
        speaker.say(SESSION, 0)


def test_a_note_is_drawn_once_and_not_guarded() -> None:
    backend, speaker = speak(turn(LEAK))
    noted = speaker.note(SESSION, 0, ("Take stock.",))
    assert noted.text == LEAK
    assert backend.prompts[0][-1].content == "Take stock."


def test_a_turn_that_is_stopped_is_not_said_and_not_drawn_again() -> None:
    backend = ScriptedBackend([turn("One."), turn("Two.")])
    shown: list[str] = []
    for speaker in (
        Speaker(backend, guard, stopped=lambda: True),
        Speaker(backend, guard, watch=shown.append, stopped=lambda: True),
    ):
        with pytest.raises(TurnStopped):
            speaker.say(SESSION, 0)
    assert len(backend.prompts) == 2
    assert Speaker(ScriptedBackend([turn("One.")]), guard, stopped=lambda: False).say(SESSION, 0).text == "One."


def test_seeds_differ_and_repeat() -> None:
    assert mix_seed(1, 2) == mix_seed(1, 2) < 2**31
    assert len({mix_seed(seed, draw) for seed in range(10) for draw in range(10)}) == 100


def test_markers_are_not_said() -> None:
    assert strip_reasoning("[REASONING]a [FINAL_ANSWER]b [TOOL_CALL]c") == "a  b (TOOL_CALL)c"


def test_use_adds_up() -> None:
    assert TokenUse(1, 2) + TokenUse(3, 4) == TokenUse(4, 6)
