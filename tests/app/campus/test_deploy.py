"""The files that a campus copies, held against the program."""

import dataclasses
import tomllib
from pathlib import Path

from app.accounts.settings import HeaderSettings
from app.campus import settings as campus
from app.settings import load_settings
from app.web.texts import LANGUAGES, load_page_texts

DEPLOY = Path(campus.__file__).with_name("deploy")


def test_the_settings_file_is_read_and_has_every_table() -> None:
    path = DEPLOY / "scribe.toml"
    settings = load_settings({"SCRIBE_CONFIG": str(path)})
    assert settings.accounts.sign_in == ("header",)
    assert set(tomllib.loads(path.read_text())) == {each.name for each in dataclasses.fields(settings)}


def test_what_its_comments_offer_is_valid(tmp_path: Path) -> None:
    lines = (DEPLOY / "scribe.toml").read_text().splitlines()
    offered = [line.removeprefix("# ") if line.startswith("# ") and " = " in line[:20] else line for line in lines]
    (tmp_path / "scribe.toml").write_text("\n".join(offered))
    settings = load_settings({"SCRIBE_CONFIG": str(tmp_path / "scribe.toml")})
    defaults = campus.CampusSettings()
    assert (settings.model.backend, settings.limits) == ("api", defaults.limits)
    assert (settings.header.account, settings.header.proxies) == (defaults.header.account, defaults.header.proxies)


def test_the_proxys_file_replaces_the_header_that_is_believed() -> None:
    told = (DEPLOY / "nginx.conf").read_text()
    assert f"proxy_set_header {HeaderSettings().account} $remote_user;" in told
    blocks = told.split("location ")[1:]
    assert not any("proxy_set_header" in block for block in blocks)  # one there would drop all the others


def test_the_words_of_the_page_are_the_same_in_all_languages() -> None:
    def list_keys(texts: object, at: str = "") -> set[str]:
        if not isinstance(texts, dict):
            return {at}
        return {key for name, value in texts.items() for key in list_keys(value, f"{at}.{name}")}

    english, *others = [list_keys(load_page_texts(language)) for language in LANGUAGES]
    assert all(other == english for other in others)
