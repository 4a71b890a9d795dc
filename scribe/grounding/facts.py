"""What the sources of an answer say, as facts: read from the report and from the JSON of tool results by its keys."""

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scribe.grounding.amounts import read_amounts
from scribe.grounding.sentences import Whose, read_sentences
from scribe.grounding.subjects import Kind, Subject, Subjects, choose
from scribe.grounding.weeks import weeks
from scribe.grounding.words import concepts_of, fold
from scribe.trajectory import Trajectory

_EARLY = re.compile(r"early|d'avance")
_WEEK_WORDS = re.compile(r"\b(?:of|de la|in|en|du)?\s*(?:weeks?|semaines?)\s*\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure that a source says of a subject. value: hours in minutes, early ones below zero; whole: of "5 of 10"."""

    subject: Subject
    value: float
    unit: str
    week: int | None = None
    whose: Whose = ""
    whole: float | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The behaviours of one side of one result with their weeks and influence, strongest first."""

    counted_for: bool
    rows: tuple[tuple[Subject, int | None, float], ...]


@dataclass
class AnswerSources:
    """All that an answer may rest on."""

    subjects: Subjects
    facts: list[Fact] = field(default_factory=list)
    rankings: list[Ranking] = field(default_factory=list)
    needs: list[tuple[str, str, int | None]] = field(default_factory=list)
    """Topic, what it needs, and the week of that."""
    taught: list[tuple[str, int]] = field(default_factory=list)
    """Topics with their week, where a result names only some."""
    plans: dict[int, list[str]] = field(default_factory=dict)
    """The topics of a week, where a result lists them all."""
    rules: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    silent: bool = False
    """Whether a result says that it found nothing."""
    abroad: list[str] = field(default_factory=list)
    """What tools of the world outside said."""
    standing: dict[str, str] = field(default_factory=dict)
    """What a result says of the grade: status, earned, missing, …"""
    predicted: set[str] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)
    report: str = ""

    def of(self, kind: Kind) -> list[Fact]:
        """The facts of one kind."""
        return [fact for fact in self.facts if fact.subject.kind == kind]

    def read(self, value: Any, week: int | None) -> None:
        """Collect what this part of a result says; week: that of what it stands in."""
        if isinstance(value, list):
            for each in value:
                self.read(each, week)
        elif isinstance(value, Mapping):
            own = value.get("week")
            week = own if isinstance(own, int) else week
            self._read_object(value, week)
            for each in value.values():
                self.read(each, week)

    def _read_object(self, value: Mapping[str, Any], week: int | None) -> None:
        if isinstance(name := value.get("behaviour"), str):
            self._add(self.subjects.behaviour(name), value.get("yours"), week, "yours")
            self._add(self.subjects.behaviour(name), value.get("median"), week, "class")
        for when, row in _rows(value.get("yours_by_week")):
            subject, (own, _, usual) = self.subjects.behaviour(str(value.get("name"))), str(row).partition(", class ")
            self._add(subject, own, int(when), "yours")
            self._add(subject, usual, int(when), "class")
        for side in ("counted_for", "counted_against"):
            if isinstance(value.get(side), list):
                self.rankings.append(self._rank(side == "counted_for", value[side], week))
        if isinstance(value.get("predicted"), str):
            self.predicted.add(value["predicted"])
        if "status" in value or "pass_mark" in value:
            self._read_standing(value)
        if "counted_for_students" in value:
            self._read_reach(value)
        self._read_plan(value, week)
        self.silent |= "no_data" in value and "closest_sections" in value
        mark = Subject("pass mark", "grade", frozenset({"passing"}))
        for title, text in _rows(value.get("sections")):
            self.rules.append(f"{title}. {text}")
            for sentence in read_sentences(self.rules[-1]):
                if "passing" in sentence.concepts:
                    self.facts += [Fact(mark, amount.value, amount.unit) for amount in sentence.amounts]

    def _rank(self, good: bool, rows: list[Any], week: int | None) -> Ranking:
        known = [row for row in rows if isinstance(row, Mapping) and isinstance(row.get("behaviour"), str)]
        names = [self.subjects.behaviour(row["behaviour"]) for row in known]
        weights = [(row.get("week", week), float(row.get("influence") or 0)) for row in known]
        return Ranking(good, tuple((name, *weight) for name, weight in zip(names, weights, strict=True)))

    def _read_standing(self, value: Mapping[str, Any]) -> None:
        told = {key: str(each) for key, each in value.items() if isinstance(each, str)}
        self.standing.update(told)
        for key, each in told.items():
            self._add(Subject(key.replace("_", " "), "grade", concepts_of(key.replace("_", " "))), each, None, "yours")
        self._work(value.get("points"), "work", "yours")
        self._work(value.get("to_come"), "weight", "")
        self.missed.update(map(str, value.get("not_handed_in", ())))

    def _read_reach(self, value: Mapping[str, Any]) -> None:
        whole = Subject(str(value.get("dimension")), "reach", concepts_of(str(value.get("definition"))))
        self._add(whole, value["counted_for_students"], None, "")
        for name, share in _rows(value.get("behaviours")):
            self._add(Subject(name, "reach", self.subjects.behaviour(name).concepts), share, None, "")

    def _read_plan(self, value: Mapping[str, Any], week: int | None) -> None:
        topics = value.get("topics")
        if week is not None and isinstance(topics, list):
            self.plans.setdefault(week, []).extend(map(str, topics))
        self._work(value.get("graded"), "weight", "")
        if week is not None:
            self.taught += [(str(row.get("for", "")), week) for row in value.get("needs", ())]
        if isinstance(value.get("topic"), str) and isinstance(value.get("for"), str):
            self.needs.append((value["for"], value["topic"], week))

    def _work(self, rows: Any, kind: Kind, whose: Whose) -> None:
        for title, value in _rows(rows):
            when = weeks(title)
            bare = _WEEK_WORDS.sub("", title).strip()
            subject = Subject(bare, kind, concepts_of(bare) or frozenset({fold(bare)}))
            self._add(subject, value, min(when) if when else None, whose)

    def _add(self, subject: Subject, told: Any, week: int | None, whose: Whose) -> None:
        """A fact for the first amount of a value such as "39 minutes" or "5 of 10"."""
        amounts = read_amounts(fold(told)) if isinstance(told, str) else ()
        if amounts:
            one = amounts[0]
            value = -one.value if _EARLY.search(fold(str(told))) else one.value
            self.facts.append(Fact(subject, value, one.unit, week, whose, one.of))


def read_sources(trajectory: Trajectory, subjects: Subjects, outside: frozenset[str]) -> AnswerSources:
    """The facts of a trajectory; what tools of the world outside say is text without facts."""
    found = AnswerSources(subjects, report=trajectory.task.report)
    for told in (trajectory.task.report, *(each.answer for each in trajectory.task.history)):  # both checked before
        found.facts += _read_report(told, subjects)
    for act in trajectory.acts:
        for call, observation in zip(act.calls, act.observations, strict=True):
            (found.abroad if call.name in outside else found.texts).append(observation.content)
            if call.name not in outside:
                with contextlib.suppress(ValueError):
                    found.read(json.loads(observation.content), None)
    return found


def _read_report(report: str, subjects: Subjects) -> Iterator[Fact]:
    """The figures of a report as facts of the behaviours that its sentences speak of."""
    for sentence in read_sentences(report):
        found: tuple[Subject, ...] = ()
        for amount in sentence.amounts:
            part = sentence.part_at(amount.start)
            found = choose(subjects.behaviours, sentence.local(part), sentence.concepts) or found
            for week in sentence.weeks_at(part) or {None}:
                for subject in found:
                    unit = "" if amount.unit == "times" else amount.unit
                    sign = -1 if _EARLY.search(sentence.text[amount.end : amount.end + 8]) else 1
                    yield Fact(subject, sign * amount.value, unit, week, sentence.whose(amount), amount.of)


def _rows(value: Any) -> Iterable[tuple[str, Any]]:
    """The items of what should be an object of a result; none of anything else."""
    return value.items() if isinstance(value, Mapping) else ()
