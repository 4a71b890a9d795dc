"""The list of tasks by topic, a plain page, from which the tutor's page of each is opened."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from app.tutoring.page.desk import TutoringDesk
from app.tutoring.page.texts import load_tutor_texts
from app.web.texts import LANGUAGES
from data.tasks.format import CodingTask
from data.tasks.topics import group_tasks

HERE = Path(__file__).parent


class TaskOverview:
    """The plain pages under `/tutor/`. choose: the language of whoever asks; links: see `build_tutor_page`."""

    def __init__(
        self, desk: TutoringDesk, choose: Callable[[Request], str], links: Sequence[tuple[str, str]] = ()
    ) -> None:
        self._desk, self._choose, self._links = desk, choose, links

    def routes(self) -> list[BaseRoute]:
        """The paths of these pages."""
        return [
            Route("/tutor/", self.go_to_language, methods=["GET"]),
            Route("/tutor/open/{task}", self.go_to_task, methods=["GET"]),
            *(Route(f"/tutor/tasks/{language}", self._make_page(language), methods=["GET"]) for language in LANGUAGES),
        ]

    def go_to_language(self, request: Request) -> Response:
        """To the list in the language of whoever asks."""
        return RedirectResponse(f"/tutor/tasks/{self._choose(request)}", 303)

    def go_to_task(self, request: Request) -> Response:
        """To the page of a task in the language of whoever asks."""
        return RedirectResponse(f"/tutor/{self._choose(request)}/?task={quote(request.path_params['task'])}", 303)

    def show(self, request: Request, language: str) -> Response:
        """The list, with what is begun."""
        tasks = self._desk.tasks
        begun = self._desk.host.list_begun(request, language)
        topics = [
            (topic.title_in(_CODES[language]), [_describe(tasks[id], language, id in begun) for id in topic.tasks])
            for topic in group_tasks(tasks)
        ]
        other = next(each for each in LANGUAGES if each != language)
        say, page = load_tutor_texts(language), _TEMPLATES.get_template("overview.html.jinja")
        style = (HERE / "overview.css").read_text(encoding="utf-8")
        text = page.render(say=say, language=language, other=other, topics=topics, links=self._links, style=style)
        return HTMLResponse(text, headers={"cache-control": "no-store"})

    def _make_page(self, language: str) -> Any:
        async def show(request: Request) -> Response:
            return await run_in_threadpool(self.show, request, language)

        return show


def _describe(task: CodingTask, language: str, begun: bool) -> Mapping[str, Any]:
    title, parts = task.title_in(_CODES[language]), len(task.components)
    return {"id": task.id, "title": title, "parts": parts, "begun": begun}


_CODES: Mapping[str, Any] = {"en": "en", "fr": "fr"}
_TEMPLATES = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
