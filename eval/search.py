"""How well search finds: by meaning alone, by words alone, and joined, on queries with known right answers.

    python -m eval.search                              the test queries, English and French
    python -m eval.search eval/search/tuning.jsonl     those that the weights were chosen on

A line is {"id", "course", "kind", "query", "gold"}; `gold` are the ids of all right sections and exercises, none for
a query that the course has nothing on. Sections and exercises are searched together.
"""

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from data.bundle import COURSES
from data.bundle_files import Location
from data.bundle_material import read_material
from data.course import Course
from scribe.errors import UsageError
from tools import textbook_search
from tools.embedder import MINILM, RECIPES, embedder
from tools.search.material import material
from tools.search.vault import Vault

HERE = Path(__file__).parent / "search"
TESTS = (HERE / "en.jsonl", HERE / "fr.jsonl")
FOLDERS = (COURSES,)
TOP = 3
JOINED = "joined"
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Query:
    """What a student types, and the ids of everything that is right."""

    id: str
    course: str
    kind: str
    query: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Found:
    """One way's answer to one query: all ids, best first, its seconds, and whether the first is said to fit."""

    ids: tuple[str, ...]
    seconds: float = 0.0
    fits: bool = True

    def rank(self, gold: frozenset[str]) -> int:
        """Where the first right id stands, counted from 1."""
        return next((rank for rank, found in enumerate(self.ids, start=1) if found in gold), len(self.ids) + 1)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query with what each way of searching found."""

    query: Query
    language: str
    found: dict[str, Found]


_LINE = TypeAdapter(Query)


def read(path: Path) -> list[Query]:
    """The queries of a file. Raises UsageError naming file and line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(_LINE.validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            raise UsageError(f"{path}:{number}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    return found


def course(name: str) -> Course:
    """The material of a course, with students or not. Raises UsageError naming where it was looked for."""
    for folder in FOLDERS:
        found = read_material(folder / name, Location([])) if (folder / name / "course.toml").is_file() else None
        if found:
            return found
    raise UsageError(f"there is no course {name!r} in {' or '.join(map(str, FOLDERS))}")


class Library:
    """One course, searched in three ways."""

    def __init__(self, course: Course, vault: Vault) -> None:
        self.language = course.language
        self._vault = vault
        self._index = material(course, vault).index
        self._ids = [*(each.id for each in course.textbook), *(each.id for each in course.exercises)]
        passages = [(text, place) for place, entry in enumerate(self._index.entries) for text in entry.passages]
        self._rows = vault.embedder.embed([text for text, _ in passages])
        self._places = np.array([place for _, place in passages])
        self._search("warm")

    def ask(self, query: Query) -> Asked:
        """The query, asked in each way. Raises UsageError for an id that the course does not have."""
        unknown = query.gold - set(self._ids)
        if unknown:
            raise UsageError(f"query {query.id}: course {query.course} has no {', '.join(sorted(unknown))}")
        ways: dict[str, Callable[[str], Found]] = {"meaning": self._meaning, "words": self._words, JOINED: self._search}
        return Asked(query, self.language, {name: way(query.query) for name, way in ways.items()})

    def _meaning(self, query: str) -> Found:
        """As similar as the best passage, and nothing else."""
        similar = self._rows @ self._vault.embedder.embed([query], role="query")[0]
        best = np.full(len(self._ids), -1.0)
        np.maximum.at(best, self._places, similar)
        return self._ordered(best)

    def _words(self, query: str) -> Found:
        """By how much of the query is covered, after its spelling has been put right."""
        right = self._index.lexical.corrected(query)
        return self._ordered(self._index.lexical.coverage(right) + self._index.lexical.likeness(right))

    def _search(self, query: str) -> Found:
        """As the tools search."""
        begin = time.perf_counter()
        hits = self._index.search(query)
        seconds = time.perf_counter() - begin
        fits = hits[0].named or hits[0].fit >= textbook_search.POOR
        return Found(tuple(self._ids[hit.place] for hit in hits), seconds, fits)

    def _ordered(self, scores: Scores) -> Found:
        order = np.argsort(-scores, kind="stable")
        return Found(tuple(self._ids[place] for place in order))


def ask(queries: Sequence[Query], vault: Vault) -> list[Asked]:
    """Every query in every way."""
    libraries = {name: Library(course(name), vault) for name in dict.fromkeys(one.course for one in queries)}
    return [libraries[query.course].ask(query) for query in queries]


def table(asked: Sequence[Asked]) -> str:
    """By language and kind, for each way: recall at 1 and at 3, and the mean reciprocal rank."""
    groups: dict[tuple[str, str], list[Asked]] = defaultdict(list)
    for one in asked:
        if one.query.gold:
            groups[one.language, one.query.kind].append(one)
            groups[one.language, "all"].append(one)
    ways = list(asked[0].found)
    lines = ["| language | kind | n | " + " | ".join(f"{way}: R@1 / R@{TOP} / MRR" for way in ways) + " |"]
    lines.append("|---|---|---|" + "---|" * len(ways))
    for language, kind in sorted(groups, key=lambda key: (key[0], key[1] == "all", key[1])):
        rows = groups[language, kind]
        figures = (" / ".join(f"{value:.2f}" for value in _figures(rows, way)) for way in ways)
        lines.append(f"| {language} | {kind} | {len(rows)} | {' | '.join(figures)} |")
    return "\n".join(lines)


def _figures(rows: Sequence[Asked], way: str) -> Iterable[float]:
    ranks = [one.found[way].rank(one.query.gold) for one in rows]
    yield statistics.mean(rank == 1 for rank in ranks)
    yield statistics.mean(rank <= TOP for rank in ranks)
    yield statistics.mean(1 / rank for rank in ranks)


def refusals(asked: Sequence[Asked]) -> str:
    """How often a query would be refused as off the subject, rightly and wrongly."""
    told = []
    for right, what in ((True, "with a right answer"), (False, "with none")):
        rows = [one for one in asked if bool(one.query.gold) == right]
        refused = sum(not one.found[JOINED].fits for one in rows)
        if rows:
            told.append(f"{refused} of {len(rows)} queries {what}")
    return f"refused as off the subject: {'; '.join(told)}"


def main() -> None:
    """Ask, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=list(TESTS))
    parser.add_argument("--embedder", choices=RECIPES, default=MINILM)
    parser.add_argument("--path", default="", help="folder with the embedder's weights")
    parser.add_argument("--show", action="store_true", help="print the queries for which nothing right came first")
    given = parser.parse_args()
    asked = ask([query for path in given.files for query in read(path)], Vault(embedder(given.embedder, given.path)))
    print(table(asked))
    seconds = [one.found[JOINED].seconds for one in asked]
    print(f"\n{refusals(asked)}\nmedian {1000 * statistics.median(seconds):.1f} ms a query, {len(asked)} queries")
    for one in asked if given.show else ():
        if one.query.gold and one.found[JOINED].rank(one.query.gold) > TOP:
            print(one.query.course, one.query.kind, repr(one.query.query), one.found[JOINED].ids[:TOP])


if __name__ == "__main__":
    main()
