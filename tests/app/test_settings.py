"""Settings from file and environment."""

from pathlib import Path
from typing import get_args

import pytest

from app.campus.settings import CampusSettings
from app.settings import load_settings
from scribe.plumbing.errors import UsageError
from tools.assembly.settings import EmbedderName
from tools.embedding.embedders import RECIPES


def test_without_file_and_environment_the_embedded_model_is_meant(tmp_path: Path) -> None:
    assert load_settings({}, tmp_path) == CampusSettings()


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "scribe.toml").write_text('[model]\nbackend = "hf"\npath = "m"\n[chat]\nport = 8000\n')
    loaded = load_settings({"SCRIBE_MODEL_BACKEND": "api", "SCRIBE_ANSWER_TEMPERATURE": "0.5"}, tmp_path)
    assert (loaded.model.backend, loaded.model.path) == ("api", "m")
    assert (loaded.chat.port, loaded.answer.temperature) == (8000, 0.5)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[modle]\n", "did you mean model?"),
        ('[model]\nbackand = "hf"\n', "did you mean backend?"),
        ('[model]\nbackend = "gpt"\n', "model.backend = 'gpt'"),
        ("[chat]\nport = 99999\n", "chat.port = 99999"),
        ('model = "hf"\n', "must be a table"),
        ("[model\n", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_an_error_that_says_what_would_be_right(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "scribe.toml").write_text(content)
    with pytest.raises(UsageError, match=r"scribe\.toml|setting") as error:
        load_settings({}, tmp_path)
    assert said in str(error.value)


def test_a_misspelt_variable_is_an_error_and_others_of_ours_are_not(tmp_path: Path) -> None:
    load_settings({"SCRIBE_DEBUG": "1", "SCRIBE_API_KEY": "k"}, tmp_path)
    with pytest.raises(UsageError, match="SCRIBE_MODEL_PATH"):
        load_settings({"SCRIBE_MODEL_PAHT": "x"}, tmp_path)


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_settings({"SCRIBE_CONFIG": str(tmp_path / "none.toml")}, tmp_path)


def test_every_embedder_can_be_set_and_no_other(tmp_path: Path) -> None:
    assert get_args(EmbedderName) == tuple(RECIPES)
    loaded = load_settings({"SCRIBE_SEARCH_EMBEDDER": "bge-small", "SCRIBE_SEARCH_PATH": "there"}, tmp_path)
    assert (loaded.search.embedder, loaded.search.path) == ("bge-small", "there")
    with pytest.raises(UsageError, match=r"search\.embedder = 'glove'"):
        load_settings({"SCRIBE_SEARCH_EMBEDDER": "glove"}, tmp_path)


def test_a_wrong_value_names_the_file_or_the_variable_that_it_comes_from(tmp_path: Path) -> None:
    (tmp_path / "scribe.toml").write_text("[model]\nthreads = 1000000\n")
    with pytest.raises(UsageError, match=r"scribe\.toml: setting model\.threads = 1000000: .*1024"):
        load_settings({}, tmp_path)
    with pytest.raises(UsageError, match=r"^SCRIBE_MODEL_THREADS: setting model\.threads = '1000000'"):
        load_settings({"SCRIBE_MODEL_THREADS": "1000000"}, tmp_path)


def test_a_file_whose_brackets_nest_too_deeply_is_not_valid(tmp_path: Path) -> None:
    (tmp_path / "scribe.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(UsageError, match=r"scribe\.toml is not valid TOML: brackets nest too deeply"):
        load_settings({}, tmp_path)
