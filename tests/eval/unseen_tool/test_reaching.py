"""Counting who reaches for the tool: scripted models, real tools, a server on this machine."""

import httpx
import pytest

from data.bundle import find
from eval.asking import Asking
from eval.unseen_tool.pages import stand_in
from eval.unseen_tool.reaching import NEEDING, OTHERS, ask, questions, reach, table
from scribe.backend import Completion, Sampling, ScriptedBackend
from scribe.errors import BackendError, UsageError
from tools.web_search import WebSearch

_CALL = ' I look. [END_OF_REASONING]\n[TOOL_CALL]{{"name": "{0}", "arguments": {{"{1}": {2}}}}}[END_OF_TOOL_CALL]'
SEARCH, TOPIC = _CALL.format("web_search", "query", '"fft"'), _CALL.format("map_week_to_topic", "week", 3)
ANSWER = " That is all. [END_OF_REASONING]\n[FINAL_ANSWER]Have a look at the page that was found.[END_OF_FINAL_ANSWER]"


def test_there_are_enough_questions_of_ours_that_need_the_web_about_real_students() -> None:
    found = questions(NEEDING)
    assert len({one.question.casefold() for one in found}) == len({one.id for one in found}) == len(found) >= 27
    assert all(one.tools == ("web_search",) for one in found)
    courses = {name: find(name) for name in {one.course for one in found}}
    assert all(one.theory in courses[one.course].student(one.student).reports for one in found)
    assert not {one.question for one in found} & {one.question for one in questions(OTHERS)}


def test_calls_are_counted_and_a_failed_question_counts_for_neither_side() -> None:
    first, second, third, fourth = questions(NEEDING)[:4]
    with stand_in() as address:
        backend = ScriptedBackend((SEARCH, ANSWER, TOPIC, SEARCH, ANSWER, TOPIC, ANSWER))
        asking = Asking(backend, WebSearch(address))
        rows = ask(asking, [first, second, third])
    found = reach("some", [*rows, (fourth, None)])
    assert (found.reached.yes, found.reached.of, found.reached.missing) == (2, 3, 1)
    assert (found.first.yes, found.first.of) == (1, 3)
    assert found.answered.yes == 3
    first_call = rows[0][1]
    assert first_call is not None and "stands in" in first_call.acts[0].observations[0].content


class Broken(ScriptedBackend):
    """A model whose server is gone."""

    def complete(self, prompt: object, sampling: Sampling, *others: object, **named: object) -> Completion:
        raise BackendError("the server cannot be reached")


def test_a_model_that_fails_is_missing_and_not_a_zero() -> None:
    found = reach("all", ask(Asking(Broken(())), questions(NEEDING)[:2]))
    assert found.reached.of == 0 and found.reached.missing == 2
    assert table([found]).format_rows()[0][:4] == ["all", "0", "2", "–"]


def test_the_table_shows_wilsons_interval_and_whether_the_sets_differ() -> None:
    one = questions(NEEDING)[0]
    with stand_in() as address:
        backend = ScriptedBackend((SEARCH, ANSWER) * 9 + (ANSWER,) * 18)
        asking = Asking(backend, WebSearch(address))
        needing, others = reach("need", ask(asking, [one] * 9)), reach("do not", ask(asking, [one] * 18))
    drawn = table([needing, others])
    cells = drawn.format_rows()
    assert cells[0][3:5] == ["100.0 %", "70.1 to 100.0 %"]  # (9 + z²/2) / (9 + z²) − z²/2 / (9 + z²), z = 1.96
    assert cells[1][3:5] == ["0.0 %", "0.0 to 17.6 %"]
    assert "p = 2.1e-07" in drawn.note  # 1 / (27 over 9) = 2.13e-7


def test_a_file_without_questions_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    empty = tmp_path_factory.mktemp("empty") / "none.jsonl"
    with pytest.raises(UsageError, match="cannot be read"):
        questions(empty)
    empty.write_text("")
    with pytest.raises(UsageError, match="no question"):
        questions(empty)


def test_the_stand_in_says_what_it_is() -> None:
    with stand_in() as address:
        found = httpx.get(f"{address}/search", params={"q": "fft", "format": "json"}).json()["results"]
    assert len(found) == 3 and all("stands in" in one["content"] and "fft" in one["title"] for one in found)
