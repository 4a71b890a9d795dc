"""One simulated week of one student, and the raw behavioural features read from it.

A stand-in for real click streams: sessions, videos and problems are drawn first and every feature is
computed from that one week, so that the features cannot contradict each other. Units: seconds, counts
and fractions. A feature that cannot be computed is None (missing), never a filled-in number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HOUR = 3600.0
WEEKDAY_HOURS = 5 * 24.0
# Four-hour blocks in which a session may start; one session a block keeps sessions from overlapping.
BLOCK_STARTS = (8, 12, 16, 20)
LONGEST_SESSION = 3.4 * HOUR

# Display names in the order of the published course, the doubled TotalClicksVideo merged to one.
FEATURES = (
    "RegPeakTimeDayHour", "RegPeriodicityDayHour", "DelayLecture", "TotalClicks", "NumberOfSessions",
    "TotalTimeSessions", "AvgTimeSessions", "StdTimeBetweenSessions", "StdTimeSessions",
    "TotalClicksWeekday", "TotalClicksWeekend", "RatioClicksWeekendDay", "TotalClicksVideo",
    "TotalClicksProblem", "TotalTimeProblem", "TotalTimeVideo", "TotalClicksVideoLoad",
    "AvgWatchedWeeklyProp", "AvgReplayedWeeklyProp", "FrequencyEventLoad", "CompetencyStrength",
    "CompetencyAlignment", "CompetencyAnticipation", "ContentAlignment", "ContentAnticipation",
    "StudentSpeed", "StudentShape",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Traits:
    """What a simulated student is like, each a z-score (0 = typical, 1 = one deviation above).

    Only `ability` leaves no trace in the click stream but through solved problems.
    """

    effort: float
    consistency: float
    regularity: float
    proactivity: float
    assessment: float
    ability: float


@dataclass(frozen=True, slots=True)
class Material:
    """What a week offers, and how much is left in the weeks after it."""

    videos: int
    problems: int
    later_videos: int
    later_problems: int


@dataclass(frozen=True, slots=True)
class StudyWeek:
    """What one student did in one week. Times are seconds since Monday 00:00, when videos appear.

    Per session: starts, lengths, video_clicks, problem_clicks, other_clicks (pages, forum). Per watched
    video: first_seen. Per attempted problem: grades (0..1), submissions, retry_time (seconds, 0 without
    a second attempt).
    """

    material: Material
    starts: NDArray[np.float64]
    lengths: NDArray[np.float64]
    video_clicks: NDArray[np.int64]
    problem_clicks: NDArray[np.int64]
    other_clicks: NDArray[np.int64]
    loads: int
    first_seen: NDArray[np.float64]
    replayed: int
    video_share: float
    problem_share: float
    grades: NDArray[np.float64]
    submissions: NDArray[np.int64]
    retry_time: NDArray[np.float64]
    ahead_videos: int
    ahead_problems: int

    @property
    def clicks(self) -> NDArray[np.int64]:
        """All events of each session."""
        return self.video_clicks + self.problem_clicks + self.other_clicks

    @property
    def quiz_grade(self) -> float | None:
        """Share of the week's problem points reached (0..1); None when no problem was tried."""
        return float(self.grades.sum()) / self.material.problems if self.grades.size else None


def sigmoid(x: float) -> float:
    """The logistic function, from the whole line to 0..1."""
    return 1.0 / (1.0 + math.exp(-x))


def idle_week(material: Material) -> StudyWeek:
    """A week in which the student never opened the platform."""
    none, zero = np.zeros(0), np.zeros(0, dtype=np.int64)
    return StudyWeek(material, none, none, zero, zero, zero, 0, none, 0, 0.0, 0.0, none, zero, none, 0, 0)


def simulate_week(
    rng: np.random.Generator, traits: Traits, drive: float, material: Material
) -> StudyWeek:
    """One active week. `drive` is this week's engagement as a z-score: effort, drift and chance."""
    starts, lengths = _sessions(rng, traits, drive)
    count = starts.size
    watched = int(rng.binomial(material.videos, sigmoid(0.7 + 0.6 * drive + 0.5 * traits.consistency)))
    # A replay is a second viewing on another day, so it needs a second session.
    replayed = int(rng.binomial(watched, sigmoid(-1.3 + 0.5 * traits.assessment))) if count > 1 else 0
    # Whoever works ahead opens the week's videos in the first sessions.
    first = np.exp(-np.arange(count) * max(0.05, 0.45 + 0.4 * traits.proactivity))
    first_seen = starts[rng.choice(count, size=watched, p=first / first.sum())]
    prepared = watched / material.videos
    grades, submissions, retry = _problems(rng, traits, drive + 0.4 * (prepared - 0.5), material.problems)
    loads = watched + replayed + int(rng.poisson(0.3 * watched))
    per_video = float(np.exp(2.0 + 0.15 * drive + rng.normal(0.0, 0.4)))
    video = loads + int(rng.poisson(per_video * (watched + 0.5 * replayed)))
    weights = np.array([9.0 * (watched + replayed), 7.0 * submissions.sum(), 6.0]) * rng.uniform(0.8, 1.2, 3)
    shares = weights / weights.sum()
    spread = rng.dirichlet(2.0 + lengths / HOUR)
    ahead = sigmoid(-3.6 + 1.0 * traits.proactivity)
    return StudyWeek(
        material=material,
        starts=starts,
        lengths=lengths,
        video_clicks=rng.multinomial(video, spread),
        problem_clicks=rng.multinomial(submissions.sum(), spread),
        other_clicks=3 + rng.poisson(2.0, count),  # fewer than three events are no session
        loads=loads,
        first_seen=first_seen,
        replayed=replayed,
        video_share=float(shares[0]),
        problem_share=float(shares[1]),
        grades=grades,
        submissions=submissions,
        retry_time=retry,
        ahead_videos=int(rng.binomial(material.later_videos, ahead)),
        ahead_problems=int(rng.binomial(material.later_problems, 0.4 * ahead)),
    )


def _sessions(
    rng: np.random.Generator, traits: Traits, drive: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Start and length of each session in seconds, in order, without overlaps."""
    count = min(14, 1 + int(rng.poisson(math.exp(1.25 + 0.38 * drive))))
    days, blocks = np.divmod(np.arange(7 * len(BLOCK_STARTS)), len(BLOCK_STARTS))
    # A regular student favours one block of the day; a proactive one the start of the week.
    favourite = int(rng.integers(len(BLOCK_STARTS)))
    weight = np.exp(max(0.0, 1.0 + 0.9 * traits.regularity) * (blocks == favourite))
    weight *= np.exp(-0.05 * (1.0 + 1.5 * traits.proactivity) * days)
    slots = np.sort(rng.choice(days.size, size=count, replace=False, p=weight / weight.sum()))
    lateness = rng.uniform(0.0, 0.5, count) * HOUR
    starts = (days[slots] * 24.0 + np.asarray(BLOCK_STARTS)[blocks[slots]]) * HOUR + lateness
    spread = min(0.8, max(0.2, 0.5 - 0.12 * traits.regularity))
    lengths = rng.lognormal(math.log(2500.0) + 0.22 * drive, spread, count)
    return starts, np.clip(lengths, 300.0, LONGEST_SESSION)


def _problems(
    rng: np.random.Generator, traits: Traits, drive: float, offered: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Best grade (0, 0.5 or 1), submissions (1 to 3) and retry seconds of each attempted problem."""
    tried = int(rng.binomial(offered, sigmoid(1.1 + 0.7 * drive + 0.4 * traits.consistency)))
    solve = sigmoid(0.25 + 0.55 * traits.assessment + 0.2 * traits.ability + 0.2 * drive)
    needed = rng.geometric(solve, tried)
    submissions = np.minimum(needed, 3)
    grades = np.where(needed <= 3, 1.0, 0.5 * (rng.random(tried) < 0.6))
    gap = rng.lognormal(math.log(420.0) - 0.2 * traits.assessment, 0.5, tried)
    return grades, submissions.astype(np.int64), np.round(gap) * (submissions - 1)


def week_features(week: StudyWeek) -> dict[str, float | None]:
    """The features of a week in raw units, by display name, in the order of FEATURES."""
    rows = {**_click_rows(week), **_session_rows(week), **_video_rows(week), **_problem_rows(week)}
    return {name: rows[name] for name in FEATURES}


def _click_rows(week: StudyWeek) -> dict[str, float | None]:
    weekday = int(week.clicks[week.starts < WEEKDAY_HOURS * HOUR].sum())
    weekend = int(week.clicks.sum()) - weekday
    total = weekday + weekend
    return {
        "TotalClicks": float(total),
        "TotalClicksWeekday": float(weekday),
        "TotalClicksWeekend": float(weekend),
        "RatioClicksWeekendDay": weekday / weekend if weekend else None,  # weekday over weekend
        "TotalClicksVideo": float(week.video_clicks.sum()),
        "TotalClicksProblem": float(week.problem_clicks.sum()),
        "TotalClicksVideoLoad": float(week.loads),
        "FrequencyEventLoad": week.loads / total if total else None,
    }


def _session_rows(week: StudyWeek) -> dict[str, float | None]:
    count, total = week.starts.size, float(week.lengths.sum())
    gaps = week.starts[1:] - (week.starts + week.lengths)[:-1]
    peak, period = _rhythm(week) if count else (None, None)
    return {
        "NumberOfSessions": float(count),
        "TotalTimeSessions": total,
        "AvgTimeSessions": total / count if count else None,
        "StdTimeSessions": float(week.lengths.std()) if count > 1 else None,
        # A single gap has no spread; calling that 0 would look like perfect regularity.
        "StdTimeBetweenSessions": float(gaps.std()) if count > 2 else None,
        "TotalTimeVideo": total * week.video_share,
        "TotalTimeProblem": total * week.problem_share,
        "RegPeakTimeDayHour": peak,
        "RegPeriodicityDayHour": period,
    }


def _rhythm(week: StudyWeek) -> tuple[float, float]:
    """Peak of the hour-of-day histogram and strength of the 24-hour rhythm (Boroujeni et al. 2016)."""
    by_hour = np.zeros(24)
    active: set[int] = set()
    for start, length, count in zip(week.starts, week.lengths, week.clicks, strict=True):
        hours = np.arange(int(start // HOUR), int((start + length) // HOUR) + 1)
        active.update(int(hour) for hour in hours)
        np.add.at(by_hour, hours % 24, count / hours.size)
    share = by_hour[by_hour > 0] / by_hour.sum()
    peak = (math.log(24.0) + float((share * np.log(share)).sum())) * float(by_hour.max())
    return peak, float(abs(np.exp(2j * np.pi * np.array(sorted(active)) / 24.0).sum()))


def _video_rows(week: StudyWeek) -> dict[str, float | None]:
    material = week.material
    watched = week.first_seen.size / material.videos
    later = material.later_videos
    return {
        "DelayLecture": float(week.first_seen.mean()) if week.first_seen.size else None,
        "AvgWatchedWeeklyProp": watched,
        "ContentAlignment": watched,  # both count touched videos: equal in the published data too
        "AvgReplayedWeeklyProp": week.replayed / material.videos,
        "ContentAnticipation": week.ahead_videos / later if later else None,
    }


def _problem_rows(week: StudyWeek) -> dict[str, float | None]:
    tried, offered, later = week.grades.size, week.material.problems, week.material.later_problems
    retried = week.retry_time[week.retry_time > 0]
    return {
        "CompetencyStrength": float((week.grades / week.submissions).mean()) if tried else None,
        "CompetencyAlignment": float((week.grades == 1.0).sum()) / offered if offered else None,
        "CompetencyAnticipation": week.ahead_problems / later if later else None,
        "StudentSpeed": float(retried.mean()) if retried.size else None,
        "StudentShape": float((week.submissions[week.grades == 1.0] == 1).sum()) / tried if tried else None,
    }
