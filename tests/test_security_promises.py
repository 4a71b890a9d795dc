"""Every promise of SECURITY.md names tests, and these are there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
TEXT = (TESTS.parent / "SECURITY.md").read_text(encoding="utf-8")
FEWEST = 50
"""Promises: if a change to the page's form hid them from this test, it would have nothing to say."""


def list_promises() -> list[tuple[str, str]]:
    """Each row of the table of guarantees: the promise, and what stands beside it; headings are bold."""
    table = TEXT.partition("## What is guaranteed")[2].partition("\n## ")[0]
    rows = [line.strip("|").rpartition(" | ") for line in table.splitlines() if line.startswith("| ")]
    return [(said.strip(), beside.strip()) for said, _, beside in rows[1:] if not said.strip().startswith("**")]


@cache
def list_tests(path: Path) -> frozenset[str]:
    """The names of the tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))


def test_there_are_promises_and_none_stands_twice() -> None:
    said = [promise for promise, _ in list_promises()]
    assert len(said) >= FEWEST
    assert len(set(said)) == len(said)


@pytest.mark.parametrize(("promise", "beside"), list_promises())
def test_a_promise_is_held_by_tests_that_are_there(promise: str, beside: str) -> None:
    named = re.findall(r"`([^`]+)`", beside)
    assert named and re.sub(r"`[^`]+`|, ", "", beside) == ""
    for each in named:
        file, _, name = each.partition("::")
        assert name.startswith("test_") and (TESTS / file).is_file(), each
        assert name in list_tests(TESTS / file), each
