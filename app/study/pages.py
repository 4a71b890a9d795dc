"""The pages of a study: which one a participant gets follows from the database alone, never from what they send.

No page names a model, or shows anything that a model is known by: conversations are A, B and C, and of answers only
the text is shown.
"""

import asyncio
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from app.campus.gate import LARGEST_BODY, is_same_origin
from app.campus.texts import HERE as CAMPUS
from app.study.answering import AnswerPool
from app.study.progress import Participant, StudyStep
from app.study.settings import Study, name_report
from app.study.store import LONGEST_REASON, StaleStep, StudyStore
from app.web.texts import LANGUAGES, prefer_language
from data.course import Course
from scribe.plumbing.errors import UsageError
from tools.conversation import LONGEST_QUESTION, clean_question, find_report

HERE = Path(__file__).parent
CODE, LANGUAGE = "scribe-study", "scribe-language"
"""Cookies: the participant's code, which is all that a browser has to know, and the language they chose."""
LETTERS = "ABC"
HELD, LOOK = 15.0, 0.4
"""Seconds that a page waits for an answer before it is sent without one, and between two looks."""

StudyForm = Mapping[str, str]
Act = Callable[[Participant, StudyForm, str], None]


@dataclass(frozen=True, slots=True)
class StudyPages:
    """The pages. courses: by their names in the study's reports. https: whether the code's cookie needs it."""

    study: Study
    store: StudyStore
    pool: AnswerPool
    courses: Mapping[str, Course]
    https: bool = False

    def routes(self) -> list[BaseRoute]:
        """The paths of these pages."""
        acts: dict[str, Act] = {
            "agree": self._agree,
            "ask": self._ask,
            "end": self._end,
            "rate": self._rate,
            "choose": self._choose,
        }
        handlers = {name: self._make_handler(act) for name, act in acts.items()}
        return [
            Route("/", self.show_entrance, methods=["GET"]),
            Route("/study", self.show_step, methods=["GET"]),
            Route("/withdraw", self.show_withdrawing, methods=["GET"]),
            Route("/enter", _with_form(self.enter), methods=["POST"]),
            Route("/leave", _with_form(self.leave), methods=["POST"]),
            Route("/language", _with_form(self.change_language), methods=["POST"]),
            Route("/withdraw", _with_form(self.withdraw), methods=["POST"]),
            *(Route(f"/study/{name}", _with_form(handler), methods=["POST"]) for name, handler in handlers.items()),
            Mount("/static", StaticFiles(directory=CAMPUS / "static")),
            Mount("/looks", StaticFiles(directory=HERE / "static")),
        ]

    def show_entrance(self, request: Request) -> Response:
        """Where a code is typed, or stands already if a link brought it."""
        if self._find(request) is not None:
            return RedirectResponse("/study", 303)
        return render("enter", request, code=request.query_params.get("code", "")[:40], unknown=False)

    def enter(self, request: Request, form: StudyForm) -> Response:
        """Let the browser keep the code, if it is one."""
        code = form.get("code", "")
        if self.store.find(code) is None:
            return render("enter", request, 400, code=code[:40], unknown=True)
        response = RedirectResponse("/study", 303)
        kept = "".join(each for each in code if each.isascii() and each.isalnum())
        response.set_cookie(CODE, kept, httponly=True, samesite="lax", secure=self.https)
        return response

    def leave(self, request: Request, form: StudyForm) -> Response:
        """Let the browser forget the code."""
        response = RedirectResponse("/", 303)
        response.delete_cookie(CODE)
        return response

    def change_language(self, request: Request, form: StudyForm) -> Response:
        """Let the browser keep the language."""
        response = RedirectResponse("/study", 303)
        if form.get("language") in LANGUAGES:
            response.set_cookie(LANGUAGE, form["language"], httponly=True, samesite="lax", secure=self.https)
        return response

    def show_withdrawing(self, request: Request) -> Response:
        """Ask whether a participant really wants to withdraw."""
        if self._find(request) is None:
            return RedirectResponse("/", 303)
        return render("withdraw", request, inside=True)

    def withdraw(self, request: Request, form: StudyForm) -> Response:
        """Delete what a participant gave."""
        participant = self._find(request)
        if participant is not None:
            self.store.withdraw(participant.id)
        return RedirectResponse("/study", 303)

    async def show_step(self, request: Request) -> Response:
        """What is next for a participant; one who waits for an answer is held until it is there, or a while."""
        participant = await run_in_threadpool(self._find, request)
        if participant is None:
            return RedirectResponse("/", 303)
        looks = int(HELD / LOOK) if "wait" in request.query_params else 0
        while participant.step.kind == "wait":
            waiting = participant.rounds[participant.step.round].waiting
            assert waiting is not None, "that is what the step says"
            self.pool.start(waiting.id)
            if not looks or await request.is_disconnected():
                break
            looks -= 1
            await asyncio.sleep(LOOK)
            participant = await run_in_threadpool(self._find, request) or participant
        return await run_in_threadpool(self._render_step, request, participant)

    def _make_handler(self, act: Act) -> Callable[[Request, StudyForm], Response]:
        def handle(request: Request, form: StudyForm) -> Response:
            participant = self._find(request)
            if participant is None:
                return RedirectResponse("/", 303)
            try:
                act(participant, form, choose_language(request))
            except StaleStep:
                pass  # a second click, or a page that was left open: what is next is shown
            except UsageError:
                now = self._find(request) or participant
                if str(now.step) == form.get("step"):
                    return self._render_step(request, now, form)
            return RedirectResponse("/study", 303)

        return handle

    def _agree(self, participant: Participant, form: StudyForm, language: str) -> None:
        if form.get("version") != self.study.consent_version:
            raise StaleStep("another text was agreed to")
        self.store.agree(participant.id, form.get("step", ""), language)

    def _ask(self, participant: Participant, form: StudyForm, language: str) -> None:
        question = clean_question(form.get("question", "").replace("\r\n", "\n"))
        self.pool.start(self.store.ask(participant.id, form.get("step", ""), question))

    def _end(self, participant: Participant, form: StudyForm, language: str) -> None:
        self.store.end_round(participant.id, form.get("step", ""))

    def _rate(self, participant: Participant, form: StudyForm, language: str) -> None:
        given = {each.id: form.get(each.id, "") for each in self.study.criteria}
        ratings = {name: int(value) for name, value in given.items() if value in ("1", "2", "3", "4", "5")}
        self.store.rate(participant.id, form.get("step", ""), ratings)

    def _choose(self, participant: Participant, form: StudyForm, language: str) -> None:
        preferred = form.get("preferred", "")
        chosen = int(preferred) if preferred in ("0", "1", "2") else -1
        self.store.choose(participant.id, form.get("step", ""), chosen, form.get("reason", ""))

    def _find(self, request: Request) -> Participant | None:
        code = request.cookies.get(CODE)
        return self.store.find(code) if code else None

    def _render_step(self, request: Request, participant: Participant, wrong: StudyForm | None = None) -> Response:
        """The page of a step. wrong: what was sent and could not be used."""
        step, language = participant.step, choose_language(request)
        values: dict[str, Any] = {"step": step, "wrong": wrong is not None, "given": wrong or {}, "inside": True}
        match step.kind:
            case "consent":
                values |= {
                    "version": self.study.consent_version,
                    "texts": [self.study.consent.choose(language), self.study.introduction.choose(language)],
                }
            case "ask" | "wait":
                values |= self._describe_round(participant, step)
            case "rate":
                values |= self._describe_round(participant, step)
                values["criteria"] = [(each.id, each.choose(language)) for each in self.study.criteria]
            case "choose":
                values["rounds"] = [
                    self._describe_round(participant, StudyStep("choose", number))
                    for number in range(len(participant.rounds))
                ]
        template = "ask" if step.kind == "wait" else step.kind
        response = render(template, request, 400 if wrong is not None else 200, **values)
        if step.kind == "wait":
            response.headers["refresh"] = "1; url=/study?wait=1"
        return response

    def _describe_round(self, participant: Participant, step: StudyStep) -> dict[str, Any]:
        """What a page shows of a conversation, which is nothing of its model."""
        told = participant.rounds[step.round]
        report = next((each for each in self.study.reports if name_report(each) == told.report), None)
        course = self.courses[report.course] if report is not None else None
        text = find_report(course.student(report.student), report.theory) if course and report else ""
        return {
            "letter": LETTERS[step.round],
            "course": course.title if course else "",
            "course_language": course.language if course else "en",
            "report": to_html(text),
            "exchanges": [(each, to_html(each.shown)) for each in told.questions],
            "asked": told.asked,
            "least": self.study.questions.least,
            "most": self.study.questions.most,
            "longest": LONGEST_QUESTION,
            "longest_reason": LONGEST_REASON,
        }


def render(template: str, request: Request, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from `templates/`, in the reader's language; nobody keeps a copy."""
    language = choose_language(request)
    text = _TEMPLATES.get_template(f"{template}.html.jinja").render(
        {"say": load_study_texts(language), "language": language, "inside": False, **values}
    )
    return HTMLResponse(text, status, headers={"cache-control": "no-store"})


@cache
def load_study_texts(language: str) -> Mapping[str, Any]:
    """All words of the pages in one language."""
    return tomllib.loads((HERE / f"texts_{language}.toml").read_text(encoding="utf-8"))


def choose_language(request: Request) -> str:
    """`en` or `fr`: what was chosen on a page, else what the browser likes better."""
    chosen = request.cookies.get(LANGUAGE)
    return chosen if chosen in LANGUAGES else prefer_language(request.headers.get("accept-language", ""))


def to_html(text: str) -> Markup:
    """Markdown as HTML without links, pictures or HTML of its own; its headings stand below the page's."""
    html = _MARKDOWN.render(text)
    return Markup(re.sub(r"<(/?)h\d", r"<\1h4", html))


def _with_form(handler: Callable[[Request, StudyForm], Response]) -> Any:
    """The handler with the fields of a form; what comes from another site or is too long is refused."""

    async def handle(request: Request) -> Response:
        if not is_same_origin(request):
            return PlainTextResponse("this was sent from another site", 403)
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > LARGEST_BODY:
                return PlainTextResponse("too large", 413)
        try:
            form = dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=30))
        except ValueError:
            return PlainTextResponse("this is no form of ours", 400)
        return await run_in_threadpool(handler, request, form)

    return handle


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
_TEMPLATES = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
