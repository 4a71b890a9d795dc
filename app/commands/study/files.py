"""Codes for participants, what they said as files, and the analysis of these."""

import argparse
import sys

from app.campus.settings import CampusSettings
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def make_codes(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Print new codes, one a line."""
    from app.store.database import open_database
    from app.study.settings import read_study
    from app.study.store import StudyStore

    assert isinstance(settings, CampusSettings)
    study = read_study(arguments.study)
    database = open_database(settings.storage.address)
    print(*StudyStore(database, study).make_codes(arguments.count), sep="\n")
    database.close()
    return 0


def export_files(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Write the files and say how many took part."""
    from app.store.database import open_database
    from app.study.export import export_study
    from app.study.settings import DEMO, DEMO_DATABASE, read_study
    from app.study.store import StudyStore

    assert isinstance(settings, CampusSettings)
    study = read_study(arguments.study)
    address = DEMO_DATABASE if arguments.study.resolve() == DEMO else settings.storage.address
    database = open_database(address)
    for path in export_study(study, database, arguments.out):
        print(path)
    counts = ", ".join(f"{count} {what}" for what, count in StudyStore(database, study).count().items())
    print(f"{counts}. Now: scribe study analyse {arguments.out}", file=sys.stderr)
    database.close()
    return 0


def analyse_files(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Write tables and figure beside the exported files, and print the tables."""
    from eval.study.files import read_study_data
    from eval.study.summary import write_summary

    print(write_summary(read_study_data(arguments.out), arguments.out))
    print(f"Written to {arguments.out}/analysis.md, tables/ and figure5.png", file=sys.stderr)
    return 0
