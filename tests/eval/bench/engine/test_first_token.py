"""A second question and a restart read less than a cold engine."""

from eval.bench.engine.conditions import Conditions
from eval.bench.engine.first_token import COLD, HEAD, make_row, measure_first_tokens


def test_a_second_question_and_a_restart_read_less_than_cold(conditions: Conditions) -> None:
    seen, starts = measure_first_tokens(conditions, 1, 1)
    read = {name: seen[name][0].read for name in COLD}
    assert all(read[name] < read[cold] for name, cold in COLD.items() if name != cold)
    assert all(seen[name][0].token > 0 for name in COLD)
    assert {len(make_row(name, seen)) for name in COLD} == {len(HEAD)}
    assert set(starts) == {"cold", "with kept prefix"} and all(starts.values())
