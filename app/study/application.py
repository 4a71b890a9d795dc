"""A study as one ASGI application, which whatever serves it needs nothing more than a database for."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from app.campus.settings import CampusSettings
from app.store.database import Database
from app.study.answering import AnswerPool
from app.study.pages import StudyPages
from app.study.settings import Study
from app.study.store import StudyStore
from app.web.serving import LOCAL, ClosedPage
from data.course import Course
from tools.assembly.assistant import Assistant


def build_study(
    study: Study,
    settings: CampusSettings,
    database: Database,
    courses: Mapping[str, Course],
    assistants: Mapping[tuple[str, str], Assistant],
) -> Starlette:
    """The application. courses: by their names in the study; assistants: by model and course."""
    store = StudyStore(database, study)
    pool = AnswerPool(study, store, assistants, database)
    pages = StudyPages(study, store, pool, courses, settings.accounts.https and bool(settings.site.hosts))

    @asynccontextmanager
    async def close_at_the_end(_: Starlette) -> AsyncIterator[None]:
        yield
        pool.close()

    hosts = [*(settings.site.hosts or LOCAL)]
    middleware = [Middleware(ClosedPage), Middleware(TrustedHostMiddleware, allowed_hosts=hosts)]
    return Starlette(routes=pages.routes(), middleware=middleware, lifespan=close_at_the_end)
