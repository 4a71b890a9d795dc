"""Figures on a course for its staff: counts and times, of no single person."""

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select

from app.store.database import Database
from app.store.limits import DAY
from app.store.schema import ConversationRow, RatingRow, TurnRow
from scribe import records
from scribe.trajectory import Stop

FEWEST = 5
"""People below which only the number of questions is told: figures on fewer would speak of somebody."""
MOST_TOPICS = 10


@dataclass(frozen=True, slots=True)
class CourseFigures:
    """What happened in a course. people: who asked. by_day: questions by ISO date (UTC).

    unresolved, failed_calls: shares, 0 to 1. seconds: median and 95th percentile from question to last word.
    topics: what was looked up most, as (tool, week or words of the query, times).
    """

    questions: int
    people: int
    by_day: tuple[tuple[str, int], ...] = ()
    unresolved: float = 0.0
    failed_calls: float = 0.0
    up: int = 0
    down: int = 0
    seconds: tuple[float, float] = (0.0, 0.0)
    topics: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """A conversation in a list for staff."""

    id: str
    last: float
    questions: int


class StaffDesk:
    """Figures and, where the policy allows it, conversations of a course."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def figures(self, course: str, days: int = 30) -> CourseFigures:
        """Figures on the last so many days."""
        since = self._clock() - days * DAY
        with self._database.transaction() as session:
            turns = session.scalars(select(TurnRow).where(TurnRow.course == course, TurnRow.asked >= since)).all()
            ids = {turn.conversation_id for turn in turns}
            owners = session.scalars(select(ConversationRow.person).where(ConversationRow.id.in_(ids)))
            people = len(set(owners))
            if people < FEWEST:
                return CourseFigures(len(turns), people)
            ratings = session.scalars(select(RatingRow.thumb).where(RatingRow.turn_id.in_(turn.id for turn in turns)))
            thumbs = Counter(ratings)
            return _count(turns, people, thumbs[1], thumbs[-1])

    def conversations(self, course: str, most: int = 100) -> list[ConversationLine]:
        """The newest conversations of a course in which something was asked, without a word of whose they are."""
        with self._database.transaction() as session:
            chosen = select(ConversationRow).filter_by(course=course).order_by(ConversationRow.last.desc()).limit(most)
            return [ConversationLine(row.id, row.last, len(row.turns)) for row in session.scalars(chosen) if row.turns]

    def read(self, course: str, conversation: str) -> tuple[str, list[tuple[str, str]]] | None:
        """Whose a conversation of this course is, and its questions and answers; None if there is none."""
        with self._database.transaction() as session:
            row = session.get(ConversationRow, conversation)
            if row is None or row.course != course:
                return None
            return row.person, [(turn.question, turn.answer or "") for turn in row.turns]


def _count(turns: Iterable[TurnRow], people: int, up: int, down: int) -> CourseFigures:
    turns = list(turns)
    seconds = sorted(turn.seconds for turn in turns)
    calls = sum(turn.calls for turn in turns)
    days = Counter(datetime.fromtimestamp(turn.asked, UTC).date().isoformat() for turn in turns)
    return CourseFigures(
        questions=len(turns),
        people=people,
        by_day=tuple(sorted(days.items())),
        unresolved=sum(turn.stop != Stop.ANSWERED for turn in turns) / len(turns),
        failed_calls=sum(turn.failed_calls for turn in turns) / calls if calls else 0.0,
        up=up,
        down=down,
        seconds=(statistics.median(seconds), seconds[int(0.95 * (len(seconds) - 1))]),
        topics=tuple((*key, times) for key, times in _count_topics(turns).most_common(MOST_TOPICS)),
    )


def _count_topics(turns: Iterable[TurnRow]) -> Counter[tuple[str, str]]:
    """How often what was looked up; what several people asked for in their own words is only ever a week or a tool."""
    found: Counter[tuple[str, str]] = Counter()
    for turn in turns:
        trajectory = records.from_json(turn.record, f"turn {turn.id}").trajectory
        found.update(
            {(call.name, str(call.arguments.get("week", ""))) for act in trajectory.acts for call in act.calls}
        )
    return found
