"""The study's pages, for participants or as a demo."""

import argparse
import dataclasses
from typing import TYPE_CHECKING

from app.campus.settings import CampusSettings
from app.commands.chat import announce, choose_port
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

if TYPE_CHECKING:
    from app.study.settings import Study

NOBODY_ELSE = "a study listens on {host} only where [site] hosts says under which names it is reached"


def serve_study(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """The pages, until interrupted. Raises UsageError, BackendError or BundleError before anybody comes."""
    from app.study.settings import read_study

    assert isinstance(settings, CampusSettings)
    return _serve(arguments, settings, make, demo=False, study=read_study(arguments.study))


def serve_demo(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """The demo, with three new codes."""
    from app.study.settings import DEMO, DEMO_DATABASE, read_study

    assert isinstance(settings, CampusSettings)
    chosen = dataclasses.replace(settings, storage=dataclasses.replace(settings.storage, address=DEMO_DATABASE))
    return _serve(arguments, chosen, make, demo=True, study=read_study(DEMO))


def _serve(
    arguments: argparse.Namespace, settings: CampusSettings, make: MakeBackend, demo: bool, study: "Study"
) -> int:
    from app.store.database import open_database
    from app.study.answering import open_assistants, open_courses
    from app.study.application import build_study
    from app.study.store import StudyStore
    from app.web import serving

    host = arguments.host or settings.chat.host
    if demo or not settings.site.hosts:
        serving.refuse_unless_loopback(host, serving.DEMO if demo else NOBODY_ELSE)
    courses = open_courses(study, settings)
    database = open_database(settings.storage.address)
    codes = StudyStore(database, study).make_codes(3) if demo else []
    assistants = open_assistants(study, settings, make, {each.id: each for each in courses.values()}.values())
    next(iter(assistants.values())).warm()
    port = choose_port(arguments, settings)
    announce(host, port)
    for code in codes:
        print(f"  a participant: http://{host}:{port}/?code={code}", flush=True)
    serving.listen(build_study(study, settings, database, courses, assistants), host, port)
    database.close()
    return 0
