import pytest

from app.campus.application import Campus
from app.campus.gate import LARGEST_BODY
from tests.app.campus.conftest import PROOF, Client


def agree(campus: Campus, client: Client, account: str) -> None:
    answer = client(account).post("/consent", data={"version": campus.pages.consent.version, "next": "/"})
    assert answer.status_code == 303


@pytest.mark.parametrize(
    "path", ["/", "/mine", "/mine/download", "/c/dsp/", "/c/dsp/gradio_api/heartbeat/x", "/consent"]
)
def test_nobody_gets_in_without_signing_in(client: Client, path: str) -> None:
    looking = client().get(path)
    assert looking.status_code == 303
    assert looking.headers["location"].startswith("/sign-in?next=")
    assert client(accept="application/json").get(path).status_code == 401
    assert client(accept="application/json").post(path).status_code == 401


def test_a_header_is_believed_from_the_proxy_alone_and_with_its_proof(client: Client) -> None:
    assert client("ada").get("/mine").status_code == 200
    assert client("ada", peer="192.168.1.1").get("/mine").status_code == 303
    assert client("ada", x_scribe_proof="x" * 40).get("/mine").status_code == 303
    assert client(x_remote_user="ada").get("/mine").status_code == 303
    assert client(x_remote_user="ada, bob", x_scribe_proof=PROOF).get("/").status_code == 200  # nobody's account
    twice = [("x-remote-user", "ada"), ("x-remote-user", "bob"), ("x-scribe-proof", PROOF), ("accept", "text/html")]
    assert client().get("/mine", headers=twice).status_code == 303


def test_a_course_is_open_to_its_students_who_agreed(campus: Campus, client: Client) -> None:
    before = client("ada").get("/c/dsp/")
    assert before.headers["location"] == "/consent?next=/c/dsp/"
    assert client("ada", accept="application/json").post("/c/dsp/gradio_api/queue/join").status_code == 403
    agree(campus, client, "ada")
    assert client("ada").get("/c/dsp/").headers["location"] == "/c/dsp/en/"
    assert client("ada").get("/c/geo/").text == "there is no such course for you"
    assert client("sam").get("/c/dsp/").text == "there is no such course for you"
    assert client("bob").get("/c/dsp/").headers["location"].startswith("/consent")


def test_another_version_of_the_consent_is_no_consent(client: Client) -> None:
    client("ada").post("/consent", data={"version": "1999-01", "next": "/"})
    assert client("ada").get("/c/dsp/").headers["location"].startswith("/consent")


def test_other_sites_cannot_post(campus: Campus, client: Client) -> None:
    for headers in ({"origin": "https://evil.example"}, {"sec_fetch_site": "cross-site"}, {"origin": "null"}):
        assert client("ada", **headers).post("/mine/delete").status_code == 403
    assert client("ada", origin="http://scribe.example").post("/mine/delete").status_code == 303


def test_a_host_that_is_not_ours_is_refused(client: Client) -> None:
    assert client("ada", host="evil.example").get("/").status_code == 400


def test_a_request_may_not_be_endless(client: Client) -> None:
    assert client("ada").post("/consent", content=b"x" * (LARGEST_BODY + 1)).status_code == 413
    pieces = (b"x" * 100_000 for _ in range(20))
    typed = {"content-type": "application/x-www-form-urlencoded"}
    assert client("ada").post("/consent", content=pieces, headers=typed).status_code == 413
    assert client("ada", content_length="many").post("/consent").status_code in (400, 413)


def test_pages_may_fetch_nothing_from_elsewhere(client: Client) -> None:
    for answer in (client().get("/sign-in"), client("ada").get("/mine"), client().get("/static/plain.css")):
        assert "default-src 'self'" in answer.headers["content-security-policy"]
