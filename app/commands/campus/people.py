"""`scribe people`: what is kept of one person, for them, or deleted; and the purge of what is old."""

import argparse
import json
from pathlib import Path

from app.accounts.header import ISSUER
from app.accounts.person import make_pseudonym
from app.accounts.settings import read_secret
from app.campus.settings import CampusSettings
from app.commands.arguments import add_subcommand
from app.store.database import open_database
from app.store.privacy import PrivacyDesk
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import write_text
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    under = parser.add_subparsers(required=True, metavar="COMMAND")
    find = add_subcommand(under, "find", "the pseudonym under which an account's data is kept", run_find)
    export = add_subcommand(under, "export", "all that is kept of a person, as JSON", run_export)
    erase = add_subcommand(under, "erase", "delete all that is kept of a person", run_erase)
    for each in (find, export, erase):
        who = each.add_mutually_exclusive_group(required=True)
        who.add_argument("--account", metavar="NAME", help="as the sign-in names it")
        who.add_argument("--person", metavar="PSEUDONYM", help="as staff and the page My data show it")
        each.add_argument("--issuer", metavar="URL", help="who names accounts, if there are several")
    export.add_argument("--out", type=Path, metavar="FILE", help="where to (default: shown)")
    add_subcommand(under, "purge", "delete what is older than [storage] allows, as the chat does every day", run_purge)


def run_find(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    print(find_pseudonym(arguments, _as_campus(settings)))
    return 0


def run_export(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    campus = _as_campus(settings)
    told = PrivacyDesk(open_database(campus.storage.address)).export(find_pseudonym(arguments, campus))
    text = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    if arguments.out is None:
        print(text, end="")
        return 0
    write_text(arguments.out, text, 0o600)
    print(f"{len(told['conversations'])} conversations in {arguments.out}")
    return 0


def run_erase(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    campus = _as_campus(settings)
    person, desk = find_pseudonym(arguments, campus), PrivacyDesk(open_database(campus.storage.address))
    kept = desk.export(person)
    desk.erase(person)
    conversations, agreements, lessons = (len(kept[name]) for name in ("conversations", "consents", "lessons"))
    print(f"Erased {person}: {conversations} conversations, {agreements} agreements, {lessons} lessons with the tutor.")
    print("Copies in backups remain until those are deleted; the roster may still name the account.")
    return 0


def run_purge(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    storage = _as_campus(settings).storage
    print(f"{PrivacyDesk(open_database(storage.address)).purge(storage)} conversations deleted")
    return 0


def find_pseudonym(arguments: argparse.Namespace, settings: CampusSettings) -> str:
    """The pseudonym of the person that the arguments name. Raises UsageError if it isn't clear who names accounts."""
    if arguments.person:
        return str(arguments.person)
    ways = {"header": ISSUER, "openid": settings.openid.issuer}
    known = [ways[way] for way in settings.accounts.sign_in if way in ways]
    issuer = arguments.issuer or (known[0] if len(settings.accounts.sign_in) == len(known) == 1 else "")
    if not issuer:
        raise UsageError(
            f"who names this account? give --issuer: {', '.join([*known, 'or the issuer of an LTI platform'])}"
        )
    return make_pseudonym(read_secret(settings.accounts.secret, "[accounts] secret"), issuer, arguments.account)


def _as_campus(settings: AssistantSettings) -> CampusSettings:
    assert isinstance(settings, CampusSettings), "the command line loads no others"
    return settings
