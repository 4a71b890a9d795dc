"""`scribe bench`: every figure that is named exists, and says what it takes."""

import pytest

from app.cli import main
from app.commands.bench import FIGURES


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_says_what_it_takes(figure: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["bench", figure, "--help"])
    assert end.value.code == 0
    assert "--json" in capsys.readouterr().out


def test_a_figure_that_is_not_there_is_refused_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["bench", "speed"])
    assert end.value.code == 2
    assert "first-token" in capsys.readouterr().err


def test_a_figure_that_is_gone_says_what_became_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "kills", "judge"]) == 2
    assert "eval/RESULTS.md" in capsys.readouterr().err
