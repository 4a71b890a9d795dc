"""`scribe people` and what the doctor says of a campus's settings."""

import dataclasses
import json
from pathlib import Path

import pytest

from app import cli
from app.campus.checks import check_campus
from app.campus.settings import CampusSettings, PrivacySettings, SiteSettings
from app.store.consent import ConsentStore
from app.store.conversations import ConversationStore
from app.store.database import open_database
from tests.app.told import scripted

STUDENTS = {"dsp": ("s001", "s002"), "geo": ("s002",)}
SETTINGS = """
[accounts]
sign_in = {ways}
roster = "{folder}/roster.csv"
secret = "{folder}/secret"
[openid]
issuer = "https://login.example"
[storage]
address = "{folder}/scribe.db"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "secret").write_text("s" * 40)
    write_settings(tmp_path, '["header"]')
    monkeypatch.setenv("SCRIBE_CONFIG", str(tmp_path / "scribe.toml"))
    return tmp_path


def write_settings(folder: Path, ways: str) -> None:
    (folder / "scribe.toml").write_text(SETTINGS.format(folder=folder, ways=ways))


def run(*words: str) -> int:
    return cli.main(["people", *words], scripted())


def test_an_accounts_data_is_exported_and_erased(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("find", "--account", "ada") == 0
    person = capsys.readouterr().out.strip()
    database = open_database(str(folder / "scribe.db"))
    ConsentStore(database).give(person, "1", "fr")
    ConversationStore(database).begin(person, "dsp", "s001", "nr")
    ConversationStore(database).begin("another", "dsp", "s002", "nr")
    assert run("export", "--account", "ada", "--out", str(folder / "ada.json")) == 0
    told = json.loads((folder / "ada.json").read_text())
    assert (told["person"], len(told["conversations"]), told["consents"][0]["language"]) == (person, 1, "fr")
    assert (folder / "ada.json").stat().st_mode & 0o077 == 0
    assert run("erase", "--person", person) == 0
    assert "1 conversations, 1 agreements" in capsys.readouterr().out
    assert ConversationStore(database).all_of(person) == []
    assert len(ConversationStore(database).all_of("another")) == 1
    assert run("purge") == 0


def test_with_several_ways_to_sign_in_an_account_needs_its_issuer(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = set()
    for ways, issuer in (('["header"]', ""), ('["openid"]', ""), ('["header", "lti"]', "https://moodle.example")):
        write_settings(folder, ways)
        assert run("find", "--account", "ada", *(["--issuer", issuer] if issuer else [])) == 0
        found.add(capsys.readouterr().out)
    assert len(found) == 3
    assert run("find", "--account", "ada") == 2
    assert "give --issuer" in capsys.readouterr().err


def test_a_campus_that_is_set_up_well_lacks_nothing(settings: CampusSettings, tmp_path: Path) -> None:
    for name in ("secret", "proof"):
        (tmp_path / name).chmod(0o600)
    good = dataclasses.replace(
        settings,
        accounts=dataclasses.replace(settings.accounts, https=True),
        storage=dataclasses.replace(settings.storage, address=str(tmp_path / "scribe.db")),
    )
    found = list(check_campus(good, STUDENTS))
    assert [each.what for each in found if each.state == "missing"] == []
    assert any("3 accounts" in each.what and "dsp 3, geo 1" in each.what for each in found)


def test_what_is_wrong_with_a_campus_is_named_with_what_to_do(settings: CampusSettings, tmp_path: Path) -> None:
    (tmp_path / "secret").chmod(0o644)
    (tmp_path / "proof").write_text("short")
    (tmp_path / "roster.csv").write_text("account,course,student,role\nada,dsp,s999,student\n")
    bad = dataclasses.replace(
        settings,
        site=SiteSettings(),
        storage=dataclasses.replace(settings.storage, address=str(tmp_path / "nowhere" / "scribe.db")),
        privacy=PrivacySettings(consent=str(tmp_path / "none.toml")),
    )
    found = list(check_campus(bad, STUDENTS))
    told = "\n".join(map(str, found))
    assert "may be read by others (mode 644)" in told
    assert "[header] secret" in told
    assert "roster.csv:2: course dsp has no student 's999'" in told
    assert "nowhere" in told
    assert "none.toml" in told
    assert "[site] hosts" in told
    assert all(each.remedy for each in found if each.state == "missing")
    assert sum(each.state == "missing" for each in found) == 6
