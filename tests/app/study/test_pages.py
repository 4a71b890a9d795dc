"""Participants at the study's pages, with scripted models."""

from collections.abc import Mapping, Sequence

import pytest
from sqlalchemy import select

from app.store.database import Database
from app.store.schema import ParticipantRow, RoundRow, StudyQuestionRow
from app.study.pages import load_study_texts, to_html
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import Message
from scribe.plumbing.errors import BackendError
from tests.app.study.conftest import Open
from tests.app.study.people import CRITERIA, MODELS, Visitor


def read_rounds(database: Database) -> list[RoundRow]:
    with database.transaction() as session:
        return list(session.scalars(select(RoundRow).order_by(RoundRow.participant_id, RoundRow.number)))


def list_questions(database: Database) -> list[str]:
    with database.transaction() as session:
        return list(session.scalars(select(StudyQuestionRow.question).order_by(StudyQuestionRow.asked)))


def test_a_participant_goes_through_the_whole_study_and_sees_no_model(
    open_study: Open, database: Database, codes: list[str]
) -> None:
    visitor = Visitor(open_study(), codes[0].lower())
    seen = [visitor.page]
    assert "Please agree." in visitor.page
    visitor.agree()
    for number in range(3):
        assert f"Conversation {'ABC'[number]}" in visitor.page
        assert "<h4>Outlook" in visitor.page or "Your sessions were few." in visitor.page
        for question in range(3):
            assert visitor.step() == f"ask-{number}-{question}"
            visitor.ask(f"Question {number}{question}?")
            assert f"You asked: Question {number}{question}?" in visitor.page
            seen.append(visitor.page)
        visitor.send("end")
        seen.append(visitor.page)
        visitor.rate(number + 3)
        seen.append(visitor.page)
    assert all(f"You asked: Question {number}2?" in visitor.page for number in range(3))
    assert visitor.send("choose", preferred="2", reason="It was <clear>.") == 200
    assert "Thank you!" in visitor.page
    assert not [name for name in (*MODELS, "attentive", "scripted") for page in seen if name in page.lower()]
    rounds = read_rounds(database)
    assert sorted(each.model for each in rounds) == sorted(MODELS)
    assert len({each.report for each in rounds}) == 3
    assert [each.ratings for each in rounds] == [dict.fromkeys(CRITERIA, value) for value in (3, 4, 5)]
    with database.transaction() as session:
        row = session.scalars(select(ParticipantRow).where(ParticipantRow.finished.is_not(None))).one()
    assert (row.preferred, row.reason) == (2, "It was <clear>.")


def test_a_later_question_may_refer_to_the_earlier_ones(open_study: Open, codes: list[str]) -> None:
    from tests.app.web.attentive import Attentive

    model = Attentive()
    visitor = Visitor(open_study(model), codes[0])
    visitor.agree()
    visitor.ask("First thing?")
    visitor.ask("And then?")
    assert "First thing?" in str(model.prompts[-1])


def test_pages_speak_french_to_a_french_browser_and_to_whoever_wants_it(open_study: Open, codes: list[str]) -> None:
    visitor = Visitor(open_study(), codes[0], accept_language="fr")
    assert "Merci d&#39;accepter." in visitor.page or "Merci d'accepter." in visitor.page
    visitor.agree()
    assert "Votre question" in visitor.page
    visitor.page = visitor.browser.post("/language", data={"language": "en"}).text
    assert "Your question" in visitor.page


def test_both_languages_say_the_same_things() -> None:
    def list_keys(texts: Mapping[str, object], above: str = "") -> set[str]:
        return {
            key
            for name, each in texts.items()
            for key in (list_keys(each, f"{above}/{name}") if isinstance(each, dict) else {f"{above}/{name}"})
        }

    assert list_keys(load_study_texts("en")) == list_keys(load_study_texts("fr"))


def test_a_second_click_and_an_old_page_change_nothing(open_study: Open, database: Database, codes: list[str]) -> None:
    visitor = Visitor(open_study(), codes[0])
    consent = visitor.step()
    visitor.agree()
    visitor.browser.post("/study/agree", data={"step": consent, "version": "test/1"})
    first = visitor.step()
    visitor.ask("Once?")
    again = visitor.browser.post("/study/ask", data={"step": first, "question": "Once?"})
    assert again.status_code == 200
    assert list_questions(database) == ["Once?"]
    assert len(read_rounds(database)) == 3
    for number in range(2):
        visitor.ask(f"More {number}?")
    visitor.send("end")
    rating = visitor.step()
    visitor.rate(5)
    visitor.browser.post("/study/rate", data={"step": rating, **dict.fromkeys(CRITERIA, "1")})
    assert [each.ratings.get("coverage") for each in read_rounds(database)] == [5, None, None]


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("end", {"step": "ask-0-1"}),
        ("end", {"step": "ask-0-3"}),
        ("rate", {"step": "rate-0-0", **dict.fromkeys(CRITERIA, "5")}),
        ("rate", {"step": "ask-0-1", **dict.fromkeys(CRITERIA, "5")}),
        ("rate", {"step": "rate-2-0", "relevance": "9"}),
        ("choose", {"step": "choose-0-0", "preferred": "1", "reason": "so"}),
        ("choose", {"preferred": "1", "reason": "so"}),
        ("ask", {"step": "ask-2-0", "question": "Elsewhere?"}),
        ("ask", {"step": "ask-0-1", "question": "  "}),
        ("ask", {"step": "ask-0-1", "question": "x" * 2001}),
        ("agree", {"step": "consent-0-0", "version": "test/1"}),
        ("agree", {"step": "ask-0-1", "version": "old"}),
    ],
)
def test_a_forged_step_has_no_effect(
    open_study: Open, database: Database, codes: list[str], action: str, fields: dict[str, str]
) -> None:
    visitor = Visitor(open_study(), codes[0])
    visitor.agree()
    visitor.ask("Real?")
    answer = visitor.browser.post(f"/study/{action}", data=fields)
    assert answer.status_code in (200, 400)
    assert 'value="ask-0-1"' in visitor.browser.get("/study").text
    assert list_questions(database) == ["Real?"]
    assert not any(each.ended or each.ratings for each in read_rounds(database))


def test_nobody_asks_more_than_the_most_or_rates_half(open_study: Open, database: Database, codes: list[str]) -> None:
    visitor = Visitor(open_study(), codes[0])
    visitor.agree()
    for number in range(5):
        visitor.ask(f"Number {number}?")
    assert "all 5 questions" in visitor.page
    assert visitor.send("ask", question="One more?") == 400
    assert len(list_questions(database)) == 5
    visitor.send("end")
    assert visitor.send("rate", relevance="3", usefulness="2") == 400
    assert "Please rate each" in visitor.page
    assert 'name="usefulness" value="2" required checked' in visitor.page
    assert visitor.send("rate", **dict.fromkeys(CRITERIA, "6")) == 400
    assert not any(each.ratings for each in read_rounds(database))


def test_nobody_sees_or_changes_anothers_answers(open_study: Open, database: Database, codes: list[str]) -> None:
    application = open_study()
    ada, bob = Visitor(application, codes[0]), Visitor(application, codes[1])
    ada.agree()
    ada.ask("A secret of mine?")
    with database.transaction() as session:
        (owner,) = session.scalars(select(StudyQuestionRow.participant_id))
    for action in ("agree", "ask", "end", "rate", "choose"):
        bob.browser.post(
            f"/study/{action}",
            data={"step": ada.step(), "participant": owner, "id": owner, "version": "test/1", "question": "Ha?"},
        )
    assert "secret" not in bob.browser.get(f"/study?participant={owner}").text
    assert list_questions(database) == ["A secret of mine?"]
    bob.browser.post("/withdraw", data={"participant": owner})
    assert list_questions(database) == ["A secret of mine?"]
    assert "secret" in ada.browser.get("/study").text


def test_without_a_code_there_is_nothing(open_study: Open, codes: list[str]) -> None:
    visitor = Visitor(open_study(), "ABCD-EFGH-JKLM")
    assert "not known" in visitor.page
    for path in ("/study", "/withdraw"):
        assert "Your code" in visitor.browser.get(path).text
    for action in ("agree", "ask", "end", "rate", "choose"):
        assert "Your code" in visitor.browser.post(f"/study/{action}", data={"step": "ask-0-0"}).text
    visitor.browser.cookies.set("scribe-study", "x%00'--")
    assert "Your code" in visitor.browser.get("/study").text
    assert f'value="{codes[0]}"' in visitor.browser.get(f"/?code={codes[0]}").text


def test_who_withdraws_leaves_nothing(open_study: Open, database: Database, codes: list[str]) -> None:
    visitor = Visitor(open_study(), codes[0])
    visitor.agree()
    visitor.ask("Mine?")
    assert "can&#39;t be undone" in visitor.browser.get("/withdraw").text
    assert "You have withdrawn" in visitor.browser.post("/withdraw").text
    assert list_questions(database) == []
    assert read_rounds(database) == []
    again = Visitor(open_study(), codes[0])
    assert "You have withdrawn" in again.page


def test_other_sites_and_endless_forms_are_refused(open_study: Open, database: Database, codes: list[str]) -> None:
    visitor = Visitor(open_study(), codes[0])
    post = visitor.browser.post
    assert post("/withdraw", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert post("/study/ask", content=b"x" * 1_100_000).status_code == 413
    assert post("/study/ask", content=b"\xff=%").status_code == 400
    assert visitor.browser.get("/", headers={"host": "evil.example"}).status_code == 400
    policy = visitor.browser.get("/study").headers["content-security-policy"]
    assert "default-src 'self'" in policy


class Broken:
    """A model that cannot be reached."""

    info: Mapping[str, str] = {"backend": "scripted", "name": "broken"}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        raise BackendError("it is away")


def test_a_question_that_no_model_could_answer_does_not_count(
    open_study: Open, database: Database, codes: list[str]
) -> None:
    visitor = Visitor(open_study(Broken()), codes[0])
    visitor.agree()
    visitor.ask("Are you there?")
    assert "technical reason" in visitor.page
    assert "You have asked 0." in visitor.page
    visitor = Visitor(open_study(), codes[0])
    visitor.ask("And now?")
    assert "You asked: And now?" in visitor.page
    assert "You have asked 1." in visitor.page


def test_what_was_being_answered_when_the_study_stopped_is_answered_after_the_next_start(
    open_study: Open, codes: list[str]
) -> None:
    with (visitor := Visitor(open_study(), codes[0])).browser:
        visitor.agree()
        visitor.send("ask", question="Please wait?")
        assert 'role="status"' in visitor.page
        assert "Please wait?" in visitor.page
    again = Visitor(open_study(Prompt()), codes[0])
    for _ in range(20):
        if 'role="status"' not in again.page:
            break
        again.page = again.browser.get("/study?wait=1").text
    assert "It is called Middle." in again.page
    assert again.step() == "ask-0-1"


class Prompt:
    """A model that answers at once."""

    info: Mapping[str, str] = {"backend": "scripted", "name": "prompt"}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        from tests.app.told import call, final

        text = final("It is called Middle.") if prompt[-1].role == "tool" else call("map_week_to_topic", week=2)
        if on_text is not None:
            on_text(text)
        return Completion(text)


def test_an_answer_is_shown_without_links_pictures_or_html_of_its_own() -> None:
    html = to_html("# Big\n\n**bold** ![p](http://evil.example/x.png) [l](javascript:x) <script>x</script>\n\n- one")
    assert "<h4>Big</h4>" in html
    assert "<li>one</li>" in html
    assert not [tag for tag in ("<img", "<a ", "<script", "<h1") if tag in html]
