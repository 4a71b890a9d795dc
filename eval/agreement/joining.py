"""Which answer a label is of: how an answer is named in a file of labels, and read again."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from eval.agreement.settled import Judged
from eval.judge.judgement import Label, read_labels
from scribe.errors import UsageError

SEPARATOR = "#"
Labels = Mapping[str, Mapping[Judged, bool]]
"""Person → what was labelled → yes or no."""


def name_of(run: str, answer: str) -> str:
    """How a label names an answer: several runs answer the same questions under the same ids."""
    return f"{run}{SEPARATOR}{answer}"


def label_files(paths: Sequence[Path]) -> list[Path]:
    """The files meant: a folder stands for its *.jsonl. Raises UsageError where nothing is there."""
    found = [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    if not found or not all(file.is_file() for file in found):
        raise UsageError(f"no labels in {', '.join(map(str, paths))}; make them with `scribe agree label`")
    return found


def read_all(paths: Sequence[Path]) -> list[Label]:
    """The labels of files and folders. Raises UsageError or RecordError."""
    return [label for file in label_files(paths) for label in read_labels(file)]


def by_person(labels: Iterable[Label], judged: Iterable[Judged]) -> dict[str, dict[Judged, bool]]:
    """Labels by person; the later of two by the same person stands. judged: what a bare row id may be of.

    Raises UsageError for an id that several runs have.
    """
    runs: dict[str, set[str]] = defaultdict(set)
    for key in judged:
        runs[key.answer].add(key.run)
    found: dict[str, dict[Judged, bool]] = defaultdict(dict)
    for label in labels:
        found[label.person][_key(label, runs)] = label.value
    return dict(found)


def of_other_texts(ratings: Iterable[Judged], others: Iterable[Collection[Judged]]) -> int:
    """How many of a rater's ratings some other has nothing beside, but rated another text under the same name."""
    known = [(other, {key.name for key in other}) for other in others]
    return sum(any(key not in other and key.name in names for other, names in known) for key in ratings)


def _key(label: Label, runs: Mapping[str, set[str]]) -> Judged:
    """A row's own id goes first, for ids may hold any sign."""
    known = runs.get(label.answer, set())
    if len(known) > 1:
        raise UsageError(
            f"the label of {label.answer!r} by {label.person} may be of {' or '.join(sorted(known))}; "
            f"write the run before it, as in {name_of(min(known), label.answer)!r}"
        )
    if known:
        return Judged(min(known), label.answer, label.criterion, label.of)
    run, _, answer = label.answer.partition(SEPARATOR)
    run, answer = (run, answer) if answer else ("", label.answer)
    return Judged(run, answer, label.criterion, label.of)
