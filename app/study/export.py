"""What a study found as CSV files that `eval.study` reads: ratings, choices and conversations, under random numbers."""

from pathlib import Path

from sqlalchemy import select

from app.store.database import Database
from app.store.schema import ParticipantRow
from app.study.pages import LETTERS
from app.study.settings import Study
from eval.study.files import CHOICES, CONVERSATIONS, MODELS, RATINGS
from eval.table import Cell, Table
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import PRIVATE, write_bytes

Rows = list[tuple[Cell, ...]]


def export_study(study: Study, database: Database, out: Path) -> list[Path]:
    """Write the files into a folder, those of participants who withdrew left out; their paths. Raises UsageError."""
    ratings: Rows = []
    choices: Rows = []
    conversations: Rows = []
    with database.transaction() as session:
        # By their random ids, so that the order says nothing of who came when.
        wanted = select(ParticipantRow).filter_by(study=study.id, withdrawn=None).order_by(ParticipantRow.id)
        for row in session.scalars(wanted.where(ParticipantRow.cell.is_not(None))):
            finished = int(row.finished is not None)
            for each in row.rounds:
                place = (row.id, finished, LETTERS[each.number], each.model, each.report)
                ratings += [(*place, criterion, value) for criterion, value in sorted(each.ratings.items())]
                conversations += [
                    (*place, asked.number + 1, asked.question, asked.shown, asked.stop, round(asked.seconds, 2))
                    for asked in each.questions
                ]
            if row.finished is not None and row.preferred is not None:
                best = row.rounds[row.preferred]
                choices.append((row.id, finished, LETTERS[best.number], best.model, best.report, row.reason))
    models: Rows = [(model.id,) for model in study.models]
    written = []
    try:
        for id, head, rows in (
            (*RATINGS, ratings),
            (*CHOICES, choices),
            (*CONVERSATIONS, conversations),
            (*MODELS, models),
        ):
            path = out / f"{id}.csv"
            text = Table(id, id, head, rows).csv()
            write_bytes(path, text.encode("utf-8", "replace"), PRIVATE)  # what people wrote is in it
            written.append(path)
    except OSError as error:
        raise UsageError(f"the study cannot be written to {out}: {error.strerror}; give another --out") from error
    return written
