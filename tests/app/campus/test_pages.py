import json

import pytest

from app.accounts.routes import read_target
from app.campus.application import Campus
from app.campus.texts import load_texts
from app.store.conversations import ConversationStore
from app.web.texts import prefer_language
from tests.app.campus.conftest import Client
from tests.app.store.test_conversations import make_record


def test_whoever_is_in_one_course_is_sent_there_and_others_choose(client: Client) -> None:
    assert client("ada").get("/").headers["location"] == "/c/dsp/"
    page = client("bob").get("/").text
    assert "/c/dsp/" in page
    assert "/c/geo/" in page
    assert "/staff/dsp" in client("sam").get("/").text
    assert load_texts("en")["no_courses"] in client("eve").get("/").text


def test_pages_speak_the_browsers_language(client: Client) -> None:
    french = client("ada", accept_language="fr-CH,fr;q=0.9,en;q=0.5").get("/mine").text
    assert '<html lang="fr">' in french
    assert "Mes données" in french
    assert '<html lang="en">' in client("ada", accept_language="de").get("/mine").text


@pytest.mark.parametrize(
    ("header", "language"),
    [("", "en"), ("de, fr;q=0.3", "fr"), ("en;q=0.2,fr;q=0.4", "fr"), ("fr;q=x", "en"), ("FR", "fr"), ("fr;q=0", "en")],
)
def test_the_language_that_the_browser_likes_best(header: str, language: str) -> None:
    assert prefer_language(header) == language


def test_both_languages_say_the_same_things() -> None:
    def keys(texts: object, above: str = "") -> set[str]:
        if not isinstance(texts, dict):
            return {above}
        return {key for name, each in texts.items() for key in keys(each, f"{above}/{name}")}

    assert keys(load_texts("en")) == keys(load_texts("fr"))


def test_a_person_downloads_and_deletes_what_is_theirs_alone(campus: Campus, client: Client) -> None:
    store = ConversationStore(campus.database)
    people = {name: campus.registrar.find_person("header", name).id for name in ("ada", "bob")}
    for name, person in people.items():
        begun = store.begin(person, "dsp", "s001", "nr")
        store.add(person, begun, make_record(f"{name}-1", f"question of {name}"), 0.1)
    assert "1 conversations with 1 questions" in client("ada").get("/mine").text
    told = client("ada").get("/mine/download")
    assert told.headers["content-disposition"].startswith("attachment")
    assert json.loads(told.text)["conversations"][0]["turns"][0]["question"] == "question of ada"
    assert "bob" not in told.text
    assert client("ada").post("/mine/delete").headers["location"] == "/mine?done=deleted"
    assert store.all_of(people["ada"]) == []
    assert len(store.all_of(people["bob"])) == 1


def test_an_agreement_can_be_taken_back(campus: Campus, client: Client) -> None:
    version = campus.pages.consent.version
    assert "nothing that you write leaves" in client("ada").get("/consent").text
    client("ada").post("/consent", data={"version": version, "next": "/c/dsp/"})
    client("ada").post("/mine/withdraw")
    assert client("ada").get("/c/dsp/").headers["location"].startswith("/consent")


@pytest.mark.parametrize(
    "given",
    ["//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil", "", None, "/a\nb", "javascript:x"],
)
def test_a_page_sends_nobody_to_another_site(given: str | None) -> None:
    assert read_target(given) == "/"
    assert read_target("/c/dsp/?x=1") == "/c/dsp/?x=1"
