"""Any text at all: no crash, and what is written can be read again. Past failures (`failures.jsonl`) come first."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz.pieces import FAILURES, PIECES, list_failures
from tests.fuzz.targets import TARGETS

COSTLY = ("bundles", "tables", "files")
"""Write files at each try."""
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=14).map("".join),
)


@pytest.mark.parametrize("target", TARGETS)
def test_any_text_is_read_or_refused(target: str) -> None:
    check = TARGETS[target]

    @settings(
        max_examples=40 if target in COSTLY else 150,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(TEXTS)
    def hold(text: str) -> None:
        check(text)

    for failure in list_failures(target):
        hold = example(failure)(hold)
    hold()


def test_past_failures_name_a_target() -> None:
    rows = [json.loads(line) for line in FAILURES.read_text(encoding="utf-8").splitlines()]
    assert rows and {row["target"] for row in rows} <= set(TARGETS)
