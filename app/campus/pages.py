"""The plain pages: courses, sign-in and out, consent, a person's own data."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from app.accounts.person import Person
from app.accounts.routes import read_target
from app.accounts.settings import SignIn
from app.campus.texts import Consent, choose_language, load_texts
from app.store.consent import ConsentStore
from app.store.conversations import ConversationStore
from app.store.database import Database
from app.store.lessons import list_lessons
from app.store.privacy import PrivacyDesk
from app.store.settings import StorageSettings
from app.web.texts import LANGUAGES

HERE = Path(__file__).parent
Handler = Callable[[Request], Response]


@dataclass(frozen=True, slots=True)
class PlainPages:
    """The pages of one campus. courses: titles by id; tutor: where the coding tutor is, if it is open."""

    database: Database
    storage: StorageSettings
    consent: Consent
    courses: Mapping[str, str]
    ways: tuple[SignIn, ...]
    tutor: str = ""

    def routes(self) -> list[BaseRoute]:
        """The paths of these pages."""
        get: dict[str, Handler] = {
            "/": self.show_courses,
            "/sign-in": self.show_sign_in,
            "/consent": self.show_consent,
            "/mine": self.show_mine,
            "/mine/download": self.download,
            "/c/{course}/": self.open_course,
        }
        post: dict[str, Handler] = {
            "/sign-out": self.sign_out,
            "/consent": self.agree,
            "/mine/delete": self.delete,
            "/mine/withdraw": self.withdraw,
        }
        return [
            *(Route(path, handler, methods=["GET"]) for path, handler in get.items()),
            *(Route(path, _with_form(handler), methods=["POST"]) for path, handler in post.items()),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ]

    def agreed(self, person: Person) -> bool:
        """Whether this person's consent to the present version holds."""
        return ConsentStore(self.database).holds(person.id, self.consent.version)

    def show_trouble(self, request: Request) -> Response:
        """That the database cannot be reached."""
        return render("trouble", request, 503)

    def show_courses(self, request: Request) -> Response:
        """The person's courses; whoever is a student of one alone is sent there."""
        places = {id: place for id, place in _person(request).places.items() if id in self.courses}
        if len(places) == 1 and not _person(request).is_staff:
            return RedirectResponse(f"/c/{next(iter(places))}/", 303)
        rows = [(id, self.courses[id], place.role == "staff") for id, place in places.items()]
        return render("courses", request, courses=rows, tutor=self.tutor)

    def open_course(self, request: Request) -> Response:
        """The chat of a course, in the person's language."""
        return RedirectResponse(f"/c/{request.path_params['course']}/{choose_language(request)}/", 303)

    def show_sign_in(self, request: Request) -> Response:
        """The ways in."""
        given = request.query_params
        failed = "cookie" if given.get("failed") == "cookie" else "failed" if "failed" in given else ""
        where = read_target(given.get("next"))
        status = 401 if failed else 200
        return render("sign_in", request, status, ways=self.ways, failed=failed, out="out" in given, next=where)

    def sign_out(self, request: Request) -> Response:
        """Forget who is signed in."""
        request.session.clear()
        return RedirectResponse("/sign-in?out", 303)

    def show_consent(self, request: Request) -> Response:
        """The text to agree to."""
        text = self.consent.choose(choose_language(request))
        where = read_target(request.query_params.get("next"))
        return render("consent", request, text=text, version=self.consent.version, next=where)

    def agree(self, request: Request) -> Response:
        """Keep the agreement, if it is to the text that stands now, and go where the person wanted to go."""
        form = request.state.form
        if form.get("version") == self.consent.version:
            store = ConsentStore(self.database)
            store.give(_person(request).id, self.consent.version, choose_language(request))
        return RedirectResponse(read_target(form.get("next")), 303)

    def show_mine(self, request: Request) -> Response:
        """What is kept of the person, and what they can do about it."""
        kept = ConversationStore(self.database).all_of(_person(request).id)
        done = request.query_params.get("done", "")
        return render(
            "mine",
            request,
            done=done if done in ("deleted", "withdrawn") else "",
            conversations=len(kept),
            questions=sum(len(each.turns) for each in kept),
            lessons=sum(len(list_lessons(self.database, _person(request).id, language)) for language in LANGUAGES),
            days=self.storage.days,
        )

    def download(self, request: Request) -> Response:
        """All that is kept of the person, as a JSON file."""
        told = json.dumps(PrivacyDesk(self.database).export(_person(request).id), ensure_ascii=False, indent=1)
        headers = {"content-disposition": 'attachment; filename="scribe.json"', "cache-control": "no-store"}
        return Response(told, media_type="application/json", headers=headers)

    def delete(self, request: Request) -> Response:
        """Delete the person's conversations, and lessons with the tutor."""
        PrivacyDesk(self.database).delete_conversations(_person(request).id)
        return RedirectResponse("/mine?done=deleted", 303)

    def withdraw(self, request: Request) -> Response:
        """Take the person's agreement back."""
        ConsentStore(self.database).withdraw(_person(request).id)
        return RedirectResponse("/mine?done=withdrawn", 303)


def render(template: str, request: Request, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from `templates/`, in the reader's language."""
    language = choose_language(request)
    page = _TEMPLATES.get_template(f"{template}.html.jinja")
    text = page.render(say=load_texts(language), language=language, person=request.state.person, **values)
    return HTMLResponse(text, status, headers={"cache-control": "no-store"})


def _person(request: Request) -> Person:
    person = request.state.person
    assert isinstance(person, Person), "the gate lets nobody else through"
    return person


def _with_form(handler: Handler) -> Any:
    """The handler, with what a form sent as `request.state.form`."""

    async def handle(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=20) as form:
            request.state.form = {name: value for name, value in form.items() if isinstance(value, str)}
        return await run_in_threadpool(handler, request)

    return handle


_TEMPLATES = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
