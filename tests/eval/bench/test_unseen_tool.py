"""Counting who reaches for the tool: scripted models, real tools, a server on this machine."""

import httpx

from data.bundle import find
from eval.answering import QuestionAnswerer
from eval.bench.unseen_tool import NEEDING, ask_all, count_calls, serve_placeholder_search, tabulate
from eval.questions import STUDENT_QUESTIONS, read_questions
from scribe.backend import Backend, Completion, Sampling
from scribe.errors import BackendError
from tests.scribe.scripted import ScriptedBackend
from tools.assembly.settings import AssistantSettings

_CALL = ' I look. [END_OF_REASONING]\n[TOOL_CALL]{{"name": "{0}", "arguments": {{"{1}": {2}}}}}[END_OF_TOOL_CALL]'
SEARCH, TOPIC = _CALL.format("web_search", "query", '"fft"'), _CALL.format("map_week_to_topic", "week", 3)
ANSWER = " That is all. [END_OF_REASONING]\n[FINAL_ANSWER]Have a look at the page that was found.[END_OF_FINAL_ANSWER]"


def make_answerer(backend: Backend, searxng: str) -> QuestionAnswerer:
    settings = AssistantSettings().with_changes("model", prompt="full").with_changes("tools", searxng=searxng)
    return QuestionAnswerer(settings, backend, read_questions(NEEDING))


def test_there_are_enough_questions_of_ours_that_need_the_web_about_real_students() -> None:
    found = read_questions(NEEDING)
    assert len({one.question.casefold() for one in found}) == len({one.id for one in found}) == len(found) >= 27
    assert all(one.tools == ("web_search",) for one in found)
    courses = {name: find(name) for name in {one.course for one in found}}
    assert all(one.theory in courses[one.course].student(one.student).reports for one in found)
    assert not {one.question for one in found} & {one.question for one in read_questions(STUDENT_QUESTIONS)}


def test_calls_are_counted_and_a_failed_question_counts_for_neither_side() -> None:
    first, second, third, fourth = read_questions(NEEDING)[:4]
    with serve_placeholder_search() as address:
        backend = ScriptedBackend((SEARCH, ANSWER, TOPIC, SEARCH, ANSWER, TOPIC, ANSWER))
        asking = make_answerer(backend, address)
        rows = ask_all(asking, [first, second, third])
    called, called_first, answered = count_calls([*rows, (fourth, None)])
    assert (called.yes, called.of, called.missing) == (2, 3, 1)
    assert (called_first.yes, called_first.of) == (1, 3)
    assert answered.yes == 3
    first_call = rows[0][1]
    assert first_call is not None and "stands in" in first_call.acts[0].observations[0].content


class Broken(ScriptedBackend):
    """A model whose server is gone."""

    def complete(self, prompt: object, sampling: Sampling, *others: object, **named: object) -> Completion:
        raise BackendError("the server cannot be reached")


def test_a_model_that_fails_is_missing_and_not_a_zero() -> None:
    rows = ask_all(make_answerer(Broken(()), "http://127.0.0.1:9"), read_questions(NEEDING)[:2])
    assert list(tabulate({"all": rows}).rows[0])[:4] == ["all", 0, 2, None]


def test_the_table_shows_wilsons_interval_and_whether_the_sets_differ() -> None:
    one = read_questions(NEEDING)[0]
    with serve_placeholder_search() as address:
        backend = ScriptedBackend((SEARCH, ANSWER) * 9 + (ANSWER,) * 18)
        asking = make_answerer(backend, address)
        drawn = tabulate({"need": ask_all(asking, [one] * 9), "do not": ask_all(asking, [one] * 18)})
    needing, others = (list(row)[3:5] for row in drawn.rows)
    assert needing == [1.0, "70.1 to 100.0 %"]  # (9 + z²/2) / (9 + z²) − z²/2 / (9 + z²), z = 1.96
    assert others == [0.0, "0.0 to 17.6 %"]
    assert "p = 2.1e-07" in drawn.note  # 1 / (27 over 9) = 2.13e-7


def test_the_stand_in_says_what_it_is() -> None:
    with serve_placeholder_search() as address:
        found = httpx.get(f"{address}/search", params={"q": "fft", "format": "json"}).json()["results"]
    assert len(found) == 3 and all("stands in" in one["content"] and "fft" in one["title"] for one in found)
