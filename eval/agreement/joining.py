"""Which answer a label is of: how an answer is named in a file of labels, and read again."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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


def _key(label: Label, runs: Mapping[str, set[str]]) -> Judged:
    """A row's own id goes first, for ids may hold any sign."""
    of = runs.get(label.answer, set())
    if len(of) > 1:
        raise UsageError(
            f"the label of {label.answer!r} by {label.person} may be of {' or '.join(sorted(of))}; "
            f"write the run before it, as in {name_of(min(of), label.answer)!r}"
        )
    if of:
        return Judged(min(of), label.answer, label.criterion)
    run, _, answer = label.answer.partition(SEPARATOR)
    return Judged(run, answer, label.criterion) if answer else Judged("", label.answer, label.criterion)
