"""The whole application: the gate, the plain pages, the ways to sign in, and a chat page for each course."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute

from app.accounts.header import ISSUER, ProxyHeader
from app.accounts.lti import LtiSignIn
from app.accounts.openid import OpenidSignIn
from app.accounts.person import Person
from app.accounts.roster import read_roster
from app.accounts.session import Registrar
from app.accounts.settings import read_secret
from app.campus.gate import Gate
from app.campus.pages import PlainPages
from app.campus.settings import CampusSettings
from app.campus.staff import StaffPages
from app.campus.texts import HERE, choose_language, read_consent
from app.store.conversations import ConversationStore
from app.store.database import Database
from app.store.limits import QuestionLimits
from app.tutoring.opening import TutorOpener
from app.tutoring.page.desk import TutoringDesk, read_tasks
from app.tutoring.page.hosts import AccountTutoringHost
from app.tutoring.page.site import PREFIX, build_tutoring
from app.web.account_host import AccountHost, QuestionWatch
from app.web.line import WaitingLine
from app.web.page_guard import PageGuard
from app.web.serving import LOCAL, ClosedPage, SidePages, mount_page, mount_sides
from app.web.texts import LANGUAGES
from data.course import Course
from scribe.plumbing.errors import UsageError
from tools.assembly.assistant import Assistant


@dataclass(frozen=True, slots=True)
class Campus:
    """What all parts of the application share; made by `open_campus`."""

    settings: CampusSettings
    database: Database
    registrar: Registrar
    pages: PlainPages
    staff: StaffPages
    header: ProxyHeader | None
    sign_in: tuple[BaseRoute, ...] = ()

    def identify(self, request: HTTPConnection) -> Person | None:
        """Who the sign-in's proxy says it is, where there is such a proxy."""
        account = self.header.find_account(request) if self.header is not None else None
        return self.registrar.find_person(ISSUER, account) if account is not None else None


def open_campus(settings: CampusSettings, courses: Sequence[Course], database: Database) -> Campus:
    """Read what the settings name: secret, roster, consent. Raises UsageError naming table, key and file."""
    accounts = settings.accounts
    if not accounts.sign_in:
        raise UsageError("[accounts] sign_in names no way to sign in; valid are header, openid and lti")
    students = {course.id: frozenset(course.students) for course in courses}
    registrar = Registrar(
        read_secret(accounts.secret, "[accounts] secret"), read_roster(Path(accounts.roster), students)
    )
    consent = read_consent(Path(settings.privacy.consent) if settings.privacy.consent else HERE / "consent.toml")
    titles, tutor = {course.id: course.title for course in courses}, PREFIX if settings.tutoring.open else ""
    pages = PlainPages(database, settings.storage, consent, titles, accounts.sign_in, tutor)
    header = ProxyHeader(settings.header) if "header" in accounts.sign_in else None
    staff = StaffPages(database, settings.privacy.staff_read)
    routes: list[BaseRoute] = []
    if "openid" in accounts.sign_in:
        routes += OpenidSignIn(settings.openid, registrar, accounts.https).routes()
    if "lti" in accounts.sign_in:
        alone = len(accounts.sign_in) == 1
        routes += LtiSignIn(settings.lti, registrar, students, accounts.https, alone).routes()
    return Campus(settings, database, registrar, pages, staff, header, tuple(routes))


def build_application(
    campus: Campus, chats: Mapping[str, Any], routes: Sequence[BaseRoute] = (), side: SidePages | None = None
) -> FastAPI:
    """The application. chats: pages (gr.Blocks) by path. routes: of what else there is. side: beside them."""
    accounts = campus.settings.accounts
    secret = read_secret(accounts.secret, "[accounts] secret").decode("latin-1")
    # A page that a learning platform shows in a frame of its own gets no cookie that is not meant for that.
    same_site: Any = "none" if "lti" in accounts.sign_in and accounts.https else "lax"
    application = FastAPI(
        title="Scribe",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        routes=[
            *campus.pages.routes(),
            *campus.staff.routes(),
            *campus.sign_in,
            *routes,
            *(side.routes if side else ()),
        ],
        middleware=[
            Middleware(ClosedPage),
            Middleware(TrustedHostMiddleware, allowed_hosts=[*(campus.settings.site.hosts or LOCAL)]),
            Middleware(
                SessionMiddleware,
                secret_key=secret,
                session_cookie="scribe",
                max_age=accounts.hours * 3600,
                same_site=same_site,
                partitioned=same_site == "none",  # else many browsers keep none in a frame
                https_only=accounts.https,
            ),
            Middleware(
                Gate,
                identify=campus.identify,
                agreed=campus.pages.agreed,
                apologise=campus.pages.show_trouble,
            ),
            Middleware(PageGuard, pages=chats),
            *([side.guard()] if side else ()),
        ],
    )
    for path, chat in chats.items():
        application = mount_page(application, chat, path, _name_person)
    return mount_sides(application, side, _name_person) if side else application


def build_side(campus: Campus, opener: TutorOpener, line: WaitingLine) -> SidePages:
    """The coding tutor for people who have signed in; its turns wait in the chats' line."""
    host = AccountTutoringHost(campus.database, QuestionLimits(campus.database, campus.settings.limits))
    links = (("courses", "/"), ("my_data", "/mine"))
    return build_tutoring(TutoringDesk(read_tasks(), host, opener, line), choose_language, links)


def _name_person(request: HTTPConnection) -> str:
    return str(request.state.person.id)


def build_chats(
    campus: Campus, assistants: Mapping[str, Assistant], line: WaitingLine, watch: QuestionWatch | None = None
) -> dict[str, Any]:
    """The chat page of each course in each language, by path. All questions wait in one line; watch counts them."""
    from app.web.page import build_page

    store, limits = ConversationStore(campus.database), QuestionLimits(campus.database, campus.settings.limits)
    chats = {}
    for course, assistant in assistants.items():
        host = AccountHost(course, store, limits, watch)
        for language in LANGUAGES:
            chats[f"/c/{course}/{language}"] = build_page(assistant, host, language, line, campus.pages.tutor)
    return chats
