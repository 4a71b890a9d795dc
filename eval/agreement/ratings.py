"""Judgements and labels by what they are of: one answer, in one text, by one criterion."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.judge.judgement import Judgement, Label, read_labels
from eval.significance import Share, count_share
from scribe.plumbing.errors import UsageError

SEPARATOR = "#"


@dataclass(frozen=True, slots=True, order=True)
class RatedAnswer:
    """One answer of one run by one criterion. of: which text it had; given anew, it is another under the same name."""

    run: str
    answer: str
    criterion: str
    of: str

    @property
    def name(self) -> tuple[str, str, str]:
        """What is the same of an answer that was given anew."""
        return self.run, self.answer, self.criterion


@dataclass(frozen=True, slots=True)
class Repeats:
    """The verdicts of one judge on one answer by repeat; None where one could not be read."""

    verdicts: Mapping[int, bool | None]

    @property
    def settled(self) -> bool | None:
        """What most readable repeats say; None where none can be read, or as many say yes as no."""
        read = self.read
        return None if 2 * sum(read) == len(read) else 2 * sum(read) > len(read)

    @property
    def read(self) -> list[bool]:
        """The readable ones."""
        return [verdict for verdict in self.verdicts.values() if verdict is not None]

    @property
    def flips(self) -> bool | None:
        """Whether repeats contradict each other; None of fewer than two."""
        return len(set(self.read)) == 2 if len(self.read) > 1 else None


Labels = Mapping[str, Mapping[RatedAnswer, bool]]
"""Person → what was labelled → yes or no."""
JudgeRatings = Mapping[str, Mapping[RatedAnswer, Repeats]]
"""Judge → what was judged → its repeats."""


def group_by_judge(judgements: Iterable[Judgement]) -> dict[str, dict[RatedAnswer, Repeats]]:
    """Group judgements by judge and answer. Of a repeat that is there twice, the later line stands."""
    found: dict[str, dict[RatedAnswer, dict[int, bool | None]]] = defaultdict(lambda: defaultdict(dict))
    for each in judgements:
        found[each.judge][RatedAnswer(each.run, each.answer, each.criterion, each.of)][each.repeat] = each.value
    return {judge: {key: Repeats(verdicts) for key, verdicts in kept.items()} for judge, kept in found.items()}


def group_by_person(labels: Iterable[Label]) -> dict[str, dict[RatedAnswer, bool]]:
    """Group labels by person; the later of two by the same person stands. Raises UsageError for one without a run."""
    found: dict[str, dict[RatedAnswer, bool]] = defaultdict(dict)
    for label in labels:
        run, separator, answer = label.answer.partition(SEPARATOR)
        if not separator:
            raise UsageError(
                f"the label of {label.answer!r} by {label.person} does not say of which run the answer is; "
                f"write the run before it, as in {name_answer('RUN', label.answer)!r}"
            )
        found[label.person][RatedAnswer(run, answer, label.criterion, label.of)] = label.value
    return dict(found)


def name_answer(run: str, answer: str) -> str:
    """Name an answer as labels do: several runs answer the same questions under the same ids."""
    return f"{run}{SEPARATOR}{answer}"


def find_label_files(paths: Sequence[Path]) -> list[Path]:
    """Find the files meant: a folder stands for its *.jsonl. Raises UsageError where nothing is there."""
    found = [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    if not found or not all(file.is_file() for file in found):
        raise UsageError(f"no labels in {', '.join(map(str, paths))}; make them with `scribe agree label`")
    return found


def read_label_files(paths: Sequence[Path]) -> list[Label]:
    """Read the labels of files and folders. Raises UsageError or RecordError."""
    return [label for file in find_label_files(paths) for label in read_labels(file)]


def count_other_texts(ratings: Iterable[RatedAnswer], others: Iterable[Collection[RatedAnswer]]) -> int:
    """Count a rater's ratings that some other has nothing beside, but rated another text under the same name."""
    known = [(other, {key.name for key in other}) for other in others]
    return sum(any(key not in other and key.name in names for other, names in known) for key in ratings)


def count_flips(judged: Iterable[Repeats]) -> Share:
    """Count the answers with two or more readable repeats that got both a yes and a no; the others are missing."""
    return count_share(repeats.flips for repeats in judged)


def find_several_models(judgements: Iterable[Judgement]) -> dict[str, Counter[str]]:
    """Find judges behind which the address reported more than one model, and how many lines each model has."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for each in judgements:
        if each.endpoint_model:
            found[each.judge][each.endpoint_model] += 1
    return {judge: models for judge, models in found.items() if len(models) > 1}
