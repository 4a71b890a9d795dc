"""One week of one simulated student: what they mean to do, and what they get done in the sessions they have."""

import cmath
import math
from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from statistics import fmean, pstdev

from data.cohort.session import ClickLog, StudySession, solve, watch
from data.cohort.traits import (
    DAY,
    HOUR,
    MINUTE,
    WEEK,
    Habits,
    PlannedItem,
    Traits,
    WeekPlan,
    draw_budget,
    draw_starts,
    draw_subset,
    sigmoid,
)
from data.events.schema import Kind

REST = 35 * MINUTE  # Between two sessions at least; where an item is longer, that, so that they stay two


@dataclass(frozen=True, slots=True)
class WeekSummary:
    """What a week's clicks amount to; None where there was nothing to do it with."""

    sessions: int
    hours: float  # in sessions
    watched: float | None  # share of the week's videos
    late: float | None  # mean days from Monday to the first view of a video
    ahead: int  # videos and problems of later weeks
    rhythm: float  # length of the sum of the active hours as arrows on a 24-hour dial
    uneven: float | None  # deviation of the breaks between sessions in days, of two breaks or more
    strength: float | None  # mean of (best mark / attempts) of the problems tried


class SimulatedStudent:
    """A simulated student at work; `marks` and `backlog` grow from week to week."""

    def __init__(self, number: int, draw: Random, habits: Habits, log: ClickLog) -> None:
        self.number, self.draw, self.habits, self.log = number, draw, habits, log
        self.marks: dict[str, float] = {}
        self.backlog: list[PlannedItem] = []

    def study(self, mood: Traits, offer: WeekPlan, following: WeekPlan | None) -> WeekSummary:
        """Live through one week, writing clicks."""
        week = _Week(self, mood, offer, following)
        first = len(self.log.clicks)
        earliest, rest = week.monday, max((REST, *(1.1 * piece.length for piece in offer.videos + offer.problems)))
        for start in draw_starts(self.draw, self.habits, mood):
            begins = max(week.monday + start, earliest)
            if begins + HOUR < week.end:
                earliest = week.live_session(begins) + rest
        self.backlog += [piece for piece in offer.videos if piece.id not in week.seen]
        return week.summarize(first)


class _Week:
    """A week under way."""

    def __init__(self, student: SimulatedStudent, mood: Traits, offer: WeekPlan, following: WeekPlan | None) -> None:
        self.student, self.mood, self.offer, self.draw = student, mood, offer, student.draw
        self.monday = (offer.week - 1) * WEEK
        self.end = self.monday + WEEK
        self.rate = 1.0
        self.later = list((following.videos + following.problems) if following else ())
        self.seen: dict[str, float] = {}
        self.dates: dict[str, int] = {}
        self.strengths: list[float] = []
        self.ahead = 0
        self.sessions: list[tuple[float, float]] = []
        lag = max(0.0, 0.9 - 1.2 * mood.proactivity + self.draw.gauss(0, 0.5))
        self.begins = self.monday + lag * DAY
        self.queue = deque(_plan_order(self.draw, mood, offer))

    def live_session(self, start: float) -> float:
        """One session; when it ended."""
        student, draw = self.student, self.draw
        at = StudySession(student.number, student.log, draw, student.habits, start, self.rate)
        stop = min(start + draw_budget(draw, self.mood), self.end - 90 * MINUTE)
        self._arrive(at)
        tired = False
        while at.now < stop and not tired:
            piece = self._next(at.now)
            if piece is None:
                tired = self._spare(at)
            elif piece.kind == "problem":
                self._solve(at, piece)
            else:
                tired = self._watch(at, piece)
        self._leave(at)
        self.rate = at.rate
        self.sessions.append((start, at.now))
        return at.now

    def summarize(self, first: int) -> WeekSummary:
        """What the week's clicks, from this number on, amount to."""
        hours = {int(click[1] // HOUR) for click in self.student.log.clicks[first:]}
        breaks = [(start - end) / DAY for (_, end), (start, _) in pairwise(self.sessions)]
        videos = self.offer.videos
        mine = [piece for piece in videos if piece.id in self.seen]
        return WeekSummary(
            sessions=len(self.sessions),
            hours=sum(end - start for start, end in self.sessions) / HOUR,
            watched=len(mine) / len(videos) if videos else None,
            late=fmean(self.seen[piece.id] - self.monday for piece in mine) / DAY if mine else None,
            ahead=self.ahead,
            rhythm=abs(sum(cmath.exp(2j * math.pi * hour / 24) for hour in hours)),
            uneven=pstdev(breaks) if len(breaks) > 1 else None,
            strength=fmean(self.strengths) if self.strengths else None,
        )

    def _next(self, now: float) -> PlannedItem | None:
        """The next piece of the week, once its work has begun; problems that are due already are let go."""
        while self.queue and now >= self.begins:
            piece = self.queue.popleft()
            if now + 3 * piece.length < piece.due:
                return piece
        return None

    def _watch(self, at: StudySession, piece: PlannedItem) -> bool:
        """Watch a video, with luck to its end; whether that ends the session."""
        draw = self.draw
        self.seen.setdefault(piece.id, at.now)
        self.dates.setdefault(piece.id, int(at.now // DAY))
        if draw.random() < sigmoid(-2.4 - 0.7 * self.mood.consistency):
            watch(at, piece, draw.uniform(0.15, 0.85))
            if draw.random() < 0.4:
                self.queue.append(piece)
            return draw.random() < 0.5
        watch(at, piece)
        if draw.random() < sigmoid(-0.8 + 0.5 * self.mood.effort):
            self._read(at, piece.week)
        return False

    def _solve(self, at: StudySession, piece: PlannedItem) -> None:
        prepared = len(self.seen) / max(1, len(self.offer.videos))
        best, attempts = solve(at, piece, self.mood, prepared)
        self.strengths.append(best / attempts)
        self.student.marks[piece.id] = max(best, self.student.marks.get(piece.id, 0.0))

    def _spare(self, at: StudySession) -> bool:
        """Time that the plan leaves: look ahead, watch again, catch up, or read; whether it is enough now."""
        draw, mood, backlog = self.draw, self.mood, self.student.backlog
        again = [piece for piece in self.offer.videos if self.dates.get(piece.id, self.end) < at.now // DAY]
        if draw.random() < sigmoid(-1.8 + 1.1 * mood.proactivity):
            self._look_ahead(at)
        elif again and draw.random() < sigmoid(-1.0 + 0.4 * mood.assessment):
            watch(at, draw.choice(again), draw.choice((0.4, 0.7, 1.0, 1.0)))
        elif backlog and draw.random() < sigmoid(-0.4 + 0.4 * mood.consistency):
            watch(at, backlog.pop())
        else:
            self._read(at, self.offer.week)
        return draw.random() < sigmoid(-0.3 - 0.4 * mood.effort)

    def _look_ahead(self, at: StudySession) -> None:
        """Open something of the next week; its problems are tried less often than its videos."""
        open_to = [piece for piece in self.later if piece.kind == "video" or self.draw.random() < 0.35]
        if not open_to:
            return
        piece = open_to[0] if self.draw.random() < 0.7 else self.draw.choice(open_to)
        self.later.remove(piece)
        self.ahead += 1
        if piece.kind == "video":
            watch(at, piece, self.draw.choice((0.3, 0.6, 1.0, 1.0)))
        else:
            self._solve(at, piece)

    def _read(self, at: StudySession, week: int) -> None:
        for section in range(self.draw.randint(1, 4)):
            at.click(Kind.PAGE_VIEW, f"text-{week}-{section + 1}")
            at.linger(75.0, 0.8, 500.0)

    def _arrive(self, at: StudySession) -> None:
        at.click(Kind.PAGE_VIEW, "home")
        at.linger(8.0, 0.7, 60.0)
        for page in (f"week-{self.offer.week}", *draw_subset(self.draw, ("news", "progress", "syllabus"), 0.3)):
            at.click(Kind.PAGE_VIEW, page)
            at.linger(15.0, 0.8, 120.0)

    def _leave(self, at: StudySession) -> None:
        """A look at the next week or at the forum, and out."""
        draw, week = self.draw, self.offer.week
        if draw.random() < sigmoid(-2.8 + 1.2 * self.mood.proactivity):
            self._look_ahead(at)
        if draw.random() < at.habits.chatty:
            for number in range(draw.randint(1, 4)):
                at.click(Kind.FORUM_VIEW, f"thread-{week}-{number + 1}")
                at.linger(40.0, 0.7, 300.0)
            if draw.random() < 0.15:
                at.click(Kind.FORUM_POST, f"thread-{week}-1")
                at.linger(5.0)
        at.click(Kind.PAGE_VIEW, f"week-{week}")


def _plan_order(draw: Random, mood: Traits, offer: WeekPlan) -> list[PlannedItem]:
    """What a student means to do this week, in order: problems after the videos they belong to, or all at the end."""
    videos = draw_subset(draw, offer.videos, sigmoid(1.5 + 0.3 * mood.effort + 0.9 * mood.consistency))
    problems = draw_subset(draw, offer.problems, sigmoid(2.0 + 0.5 * mood.effort + 0.4 * mood.consistency))
    if draw.random() < sigmoid(-0.6 * mood.proactivity):
        return videos + problems
    place = {piece.id: number / len(offer.videos) for number, piece in enumerate(offer.videos)}
    place |= {piece.id: (number + 0.9) / len(offer.problems) for number, piece in enumerate(offer.problems)}
    return sorted(videos + problems, key=lambda piece: place[piece.id])
