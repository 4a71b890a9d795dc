"""Small logs for the tests: lines of edX, rows of Moodle, files of either."""

import csv
import gzip
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ENGLISH = "Time,User full name,Affected user,Event context,Component,Event name,Description,Origin,IP address"
FRENCH = (
    "Heure,Nom complet de l’utilisateur,Utilisateur touché,Contexte de l'événement,Composant,"
    "Nom de l'événement,Description,Origine,Adresse IP"
)
VIEWED = "The user with id '{user}' viewed the '{what}' activity with course module id '{module}'."


def edx(event_type: str | None = "play_video", event: Any = None, as_text: bool = True, **fields: Any) -> str:
    """One line of an edX log: by default a browser's, of user 7, whose payload is a JSON text."""
    event = {"id": "v1"} if event is None else event
    line = {
        "event_type": event_type,
        "event_source": "browser",
        "username": "ada",
        "time": "2026-09-14T10:00:00.250000+00:00",
        "ip": "10.1.2.3",
        "agent": "Mozilla/5.0",
        "context": {"user_id": 7, "course_id": "course-v1:EPFL+DSP+2026"},
        "event": json.dumps(event) if as_text else event,
    }
    return json.dumps({**line, **fields})


def check(grade: Any = 1, most: Any = 2, **fields: Any) -> str:
    """The server's problem_check of edX, whose payload is an object."""
    problem = "block-v1:EPFL+DSP+2026+type@problem+block@p1"
    event = {"problem_id": problem, "grade": grade, "max_grade": most}
    return edx("problem_check", event, as_text=False, **{"event_source": "server", **fields})


def row(
    time: str = "14/09/26, 12:00:05",
    event: str = "Course module viewed",
    component: str = "Page",
    context: str = "Page: FAQ",
    name: str = "Ada Lovelace",
    description: str | None = None,
) -> str:
    """One record of a Moodle export, in the columns of ENGLISH and FRENCH."""
    said = VIEWED.format(user=12, what="page", module=643) if description is None else description
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([time, name, "-", context, component, event, said, "web", "172.18.0.1"])
    return out.getvalue()


def write(path: Path, lines: Iterable[str]) -> Path:
    """Write lines, packed if the name ends in .gz."""
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path
