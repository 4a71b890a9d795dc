"""`scribe judge`, killed in the middle."""

from pathlib import Path

import pytest

from eval.judge.kills import Place, killed_and_resumed


@pytest.mark.timeout(300)  # four processes, which a busy machine takes its time to start
def test_killed_at_random_moments_nothing_is_lost_repeated_or_mixed_up(tmp_path: Path) -> None:
    found = killed_and_resumed(Place(tmp_path, answers=20, repeats=2), kills=3)
    assert found.good
    assert found.kills >= 2
    assert found.wanted == 200
    assert max(found.kept) > 0
    assert 200 <= found.requests <= 200 + 3 * 16  # at most what eight threads and their queue had in hand
