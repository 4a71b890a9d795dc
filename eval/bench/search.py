"""How well search finds: by meaning alone, by words alone, and joined, on queries with known right answers.

    python -m eval.bench.search                                     the test queries, English and French
    python -m eval.bench.search eval/bench/queries/tuning.jsonl     those that the weights were chosen on

A line is {"id", "course", "kind", "query", "gold"}; `gold` are the ids of all right sections and exercises, none for
a query that the course has nothing on. Sections and exercises are searched together.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from data.bundle import COURSES
from data.bundle_files import Place
from data.bundle_material import read_material
from data.course import Course
from eval.table import Cell, Table
from scribe.errors import UsageError
from tools import textbook_search
from tools.embedder import MINILM, RECIPES, embedder
from tools.search.material import material
from tools.search.vault import Vault

QUERIES = Path(__file__).parent / "queries"
TESTS = (QUERIES / "en.jsonl", QUERIES / "fr.jsonl")
TOP = 3
WAYS = ("meaning", "words", "joined")


@dataclass(frozen=True, slots=True)
class Query:
    """What a student types, and the ids of everything that is right."""

    id: str
    course: str
    kind: str
    query: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ranking:
    """A query with what each way of searching found."""

    query: Query
    language: str
    ids: dict[str, tuple[str, ...]]
    """By way: all ids, best first."""
    seconds: float = 0.0
    """Of the joined way."""
    fits: bool = True
    """Whether the joined way's first one is said to fit."""

    def rank(self, way: str) -> int:
        """Where the first right id stands, counted from 1."""
        ids = self.ids[way]
        return next((rank for rank, id in enumerate(ids, start=1) if id in self.query.gold), len(ids) + 1)


_LINE = TypeAdapter(Query)


def read_queries(path: Path) -> list[Query]:
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


def open_course(name: str) -> Course:
    """The material of a course, with students or not. Raises UsageError naming where it was looked for."""
    folder = COURSES / name
    found = read_material(folder, Place([])) if (folder / "course.toml").is_file() else None
    if not found:
        raise UsageError(f"there is no course {name!r} in {COURSES}")
    return found


class CourseSearch:
    """One course, searched in three ways."""

    def __init__(self, course: Course, vault: Vault) -> None:
        self.language = course.language
        self._vault = vault
        self._index = material(course, vault).index
        self._ids = [*(each.id for each in course.textbook), *(each.id for each in course.exercises)]
        passages = [(text, place) for place, entry in enumerate(self._index.entries) for text in entry.passages]
        self._rows = vault.embedder.embed([text for text, _ in passages])
        self._places = np.array([place for _, place in passages])
        self._index.search("warm")

    def ask(self, query: Query) -> Ranking:
        """The query, asked in each way. Raises UsageError for an id that the course does not have."""
        if unknown := query.gold - set(self._ids):
            raise UsageError(f"query {query.id}: course {query.course} has no {', '.join(sorted(unknown))}")
        begin = time.perf_counter()
        hits = self._index.search(query.query)
        seconds = time.perf_counter() - begin
        ids = {
            "meaning": self._order(self._score_meaning(query.query)),
            "words": self._order(self._score_words(query.query)),
            "joined": tuple(self._ids[hit.place] for hit in hits),
        }
        fits = hits[0].named or hits[0].fit >= textbook_search.POOR
        return Ranking(query, self.language, ids, seconds, fits)

    def _score_meaning(self, query: str) -> NDArray[np.float64]:
        """As similar as the best passage, and nothing else."""
        similar = self._rows @ self._vault.embedder.embed([query], role="query")[0]
        best = np.full(len(self._ids), -1.0)
        np.maximum.at(best, self._places, similar)
        return best

    def _score_words(self, query: str) -> NDArray[np.float64]:
        """By how much of the query is covered, after its spelling has been put right."""
        right = self._index.lexical.corrected(query)
        scores: NDArray[np.float64] = self._index.lexical.coverage(right) + self._index.lexical.likeness(right)
        return scores

    def _order(self, scores: NDArray[np.float64]) -> tuple[str, ...]:
        return tuple(self._ids[place] for place in np.argsort(-scores, kind="stable"))


def ask_all(queries: Sequence[Query], vault: Vault) -> list[Ranking]:
    """Every query in every way."""
    courses = {name: CourseSearch(open_course(name), vault) for name in dict.fromkeys(one.course for one in queries)}
    return [courses[query.course].ask(query) for query in queries]


def tabulate(rankings: Sequence[Ranking]) -> Table:
    """By language and kind, for each way: recall at 1 and at 3, and the mean reciprocal rank."""
    answerable = [one for one in rankings if one.query.gold]
    kinds = sorted({(one.language, kind) for one in answerable for kind in ("~all", one.query.kind)})  # "~" sorts last
    rows: list[Sequence[Cell]] = []
    for language, kind in kinds:
        group = [one for one in answerable if one.language == language and kind in ("~all", one.query.kind)]
        rows.append(
            [language, kind.strip("~"), len(group), *(_summarize([one.rank(way) for one in group]) for way in WAYS)]
        )
    head = ("language", "kind", "n", *(f"{way}: R@1 / R@{TOP} / MRR" for way in WAYS))
    return Table("search", "Search", head, rows)


def _summarize(ranks: Sequence[int]) -> str:
    shares = mean(rank == 1 for rank in ranks), mean(rank <= TOP for rank in ranks), mean(1 / rank for rank in ranks)
    return " / ".join(f"{value:.2f}" for value in shares)


def count_refusals(rankings: Sequence[Ranking]) -> str:
    """How often a query would be refused as off the subject, rightly and wrongly."""
    counts = []
    for right, what in ((True, "with a right answer"), (False, "with none")):
        rows = [one for one in rankings if bool(one.query.gold) == right]
        if rows:
            counts.append(f"{sum(not one.fits for one in rows)} of {len(rows)} queries {what}")
    return f"refused as off the subject: {'; '.join(counts)}"


def main() -> None:
    """Ask, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=list(TESTS))
    parser.add_argument("--embedder", choices=RECIPES, default=MINILM)
    parser.add_argument("--path", default="", help="folder with the embedder's weights")
    parser.add_argument("--show", action="store_true", help="print the queries for which nothing right came first")
    given = parser.parse_args()
    queries = [query for path in given.files for query in read_queries(path)]
    rankings = ask_all(queries, Vault(embedder(given.embedder, given.path)))
    print(tabulate(rankings).markdown())
    middle = median(one.seconds for one in rankings)
    print(f"\n{count_refusals(rankings)}\nmedian {1000 * middle:.1f} ms a query, {len(rankings)} queries")
    for one in rankings if given.show else ():
        if one.query.gold and one.rank("joined") > TOP:
            print(one.query.course, one.query.kind, repr(one.query.query), one.ids["joined"][:TOP])


if __name__ == "__main__":
    main()
