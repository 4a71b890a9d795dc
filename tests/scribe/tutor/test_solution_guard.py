"""What a tutor may not say."""

import pytest

from scribe.tutor.solution_guard import SolutionGuard
from tests.scribe.tutor.lesson import BRIEF, guard

ROUTE = '''def shortest_route(self, start: str, goal: str) -> list[str]:
    """The towns."""
    distances = {start: 0}
    previous: dict[str, str] = {}
    queue = [(0, start)]
    while queue:
        _, town = heapq.heappop(queue)
        if town == goal:
            return trace_back(previous, goal)
        better = neighbour not in distances or distance < distances[neighbour]
    raise NoRoute(f"no road leads from {start} to {goal}")
'''
POP, NONE = "        _, town = heapq.heappop(queue)\n", '    raise NoRoute(f"no road leads from {start}")\n'
BETTER = "        better = neighbour not in distances or distance < distances[neighbour]\n"
REBUILD = "        if town == goal:\n            return trace_back(previous, goal)\n"


def route() -> SolutionGuard:
    return SolutionGuard((POP, REBUILD, BETTER, NONE), ROUTE)


@pytest.mark.parametrize(
    "text",
    [
        "Write `_, town = heapq.heappop(queue)` first.",
        "Write\n```python\n_,town=heapq.heappop( queue )\n```",
        "Then comes _, town = heapq.heappop(queue) and you are done.",
        "Try `_, place = heapq.heappop(heap)`, with names of your own.",
        "End with raise NoRoute('nothing there')",
        "`if town == goal:` and inside it `return trace_back(previous, goal)`.",
        "Use `better = neighbour not in distances or (distance) < distances[neighbour]`.".replace(
            "(distance)", "distance"
        ),
    ],
)
def test_a_whole_part_is_refused_however_it_is_spelt(text: str) -> None:
    assert route().find_leaks(text)


@pytest.mark.parametrize(
    "text",
    [
        "`heapq.heappop(queue)` gives the smallest pair. Which of the two is the town?",
        "Use `heapq.heappop`; what comes first in the pair?",
        "If the goal comes out, `trace_back` makes the route. What does it take?",
        "What should happen with `NoRoute` when the queue is empty?",
        "Don't forget: it's done when the town is the goal. Isn't it?",
        "An example about cups: `smallest = min(cups)`.",
        "",
    ],
)
def test_words_names_and_hints_are_not_refused(text: str) -> None:
    assert not route().find_leaks(text)


def test_more_than_two_lines_in_a_row_are_refused_even_if_they_are_no_part() -> None:
    two = "distances = {start: 0}\nprevious = {}"
    guarded = SolutionGuard((), ROUTE)
    assert not guarded.find_leaks(two)
    assert len(guarded.find_leaks(f"{two}\nqueue = [(0, start)]")) == 3


def test_an_annotation_hides_nothing() -> None:
    guarded = SolutionGuard(("    previous: dict[str, str] = {}\n",), ROUTE)
    assert guarded.find_leaks("`previous = {}`")
    assert guarded.find_leaks("```\nprevious: dict = {}\n```")


def test_what_the_student_has_already_may_be_said() -> None:
    text = "Your `_, town = heapq.heappop(queue)` is right."
    assert route().find_leaks(text)
    assert not route().find_leaks(text, known="while queue:\n    _, town = heapq.heappop(queue)\n")


def test_a_line_of_the_part_that_the_student_has_does_not_free_the_other() -> None:
    text = "`if town == goal: return trace_back(previous, goal)`"
    assert route().find_leaks(text, known="if town == goal:\n    pass\n")


def test_a_statement_over_several_lines_is_the_same_in_one() -> None:
    guarded = SolutionGuard(
        ("total = add(\n    first,\n    second,\n)\n",), "total = add(\n    first,\n    second,\n)\n"
    )
    assert guarded.find_leaks("`total = add(first, second)`")


def test_a_line_of_names_alone_is_prose_unless_it_is_written_as_code() -> None:
    assert not guard().find_leaks("At the end you return total.", BRIEF.stub)
    assert guard().find_leaks("At the end: `return total`.", BRIEF.stub)


def test_redacting_leaves_out_code_first_then_sentences_and_adds_nothing() -> None:
    text = "Think of the queue. Write `_, town = heapq.heappop(queue)`. What comes next?"
    assert route().redact(text) == "Think of the queue. What comes next?"
    assert route().redact("Look:\n```\n_, town = heapq.heappop(queue)\n```\nWhy?") == "Look:\n\nWhy?"
    assert route().redact("_, town = heapq.heappop(queue)") == ""
    assert route().redact("Nothing to hide.") == "Nothing to hide."


def test_a_reference_that_does_not_parse_is_guarded_by_its_lines() -> None:
    assert SolutionGuard(("y = f(x)\n",), "y = f(x)\n)(").find_leaks("`y = f(x)`")
