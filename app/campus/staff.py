"""The pages for a course's staff: figures, and transcripts where the campus's policy allows, each look recorded."""

from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from app.campus.pages import render
from app.campus.texts import choose_language
from app.dialogue.wording import describe_call
from app.store.audit import AuditLog
from app.store.database import Database
from app.store.figures import FEWEST, StaffDesk
from scribe.trajectory import Call
from tools.conversation import LANGUAGES

DAYS = (7, 30, 120)


@dataclass(frozen=True, slots=True)
class StaffPages:
    """The staff pages. may_read: whether transcripts may be opened."""

    database: Database
    may_read: bool

    def routes(self) -> list[BaseRoute]:
        """The paths of these pages."""
        return [
            Route("/staff/{course}", self.show_figures, methods=["GET"]),
            Route("/staff/{course}/conversations", self.list_conversations, methods=["GET"]),
            Route("/staff/{course}/conversations/{id}", self.show_conversation, methods=["GET"]),
        ]

    def show_figures(self, request: Request) -> Response:
        """Figures on a course."""
        course = request.path_params["course"]
        if not _is_staff(request, course):
            return _refuse()
        asked = request.query_params.get("days", "")
        days = int(asked) if asked in map(str, DAYS) else DAYS[1]
        figures = StaffDesk(self.database).figures(course, days)
        language = LANGUAGES[choose_language(request)]
        topics = [
            (describe_call(Call(name, {"week": week} if week else {}), language), times)
            for name, week, times in figures.topics
        ]
        return render(
            "staff",
            request,
            course=course,
            days=days,
            may_read=self.may_read,
            figures=figures,
            topics=topics,
            few=figures.people < FEWEST,
            choices=DAYS,
        )

    def list_conversations(self, request: Request) -> Response:
        """The newest conversations of a course."""
        course = request.path_params["course"]
        if not self.may_read or not _is_staff(request, course):
            return _refuse()
        lines = [(each, _format(each.last)) for each in StaffDesk(self.database).conversations(course)]
        AuditLog(self.database).note(request.state.person.id, "list conversations", course)
        return render("conversations", request, course=course, lines=lines)

    def show_conversation(self, request: Request) -> Response:
        """One conversation; that it was read is recorded before it is shown."""
        course = request.path_params["course"]
        if not self.may_read or not _is_staff(request, course):
            return _refuse()
        found = StaffDesk(self.database).read(course, request.path_params["id"])
        if found is None:
            return _refuse()
        person, exchanges = found
        AuditLog(self.database).note(request.state.person.id, "read transcript", person)
        return render("transcript", request, course=course, exchanges=exchanges)


def _is_staff(request: Request, course: str) -> bool:
    place = request.state.person.places.get(course)
    return place is not None and place.role == "staff"


def _refuse() -> Response:
    return PlainTextResponse("there is no such page for you", 404)


def _format(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
