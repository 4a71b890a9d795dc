"""What runs are called: by the reader, by the files of judgements, and in print."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from eval.judge.judgement import Judgement
from scribe.errors import UsageError

Spellings = Mapping[str, frozenset[str]]
"""Name of a run → what judgements may call it."""


def named(texts: Sequence[str]) -> list[tuple[str, Path]]:
    """`PATH` or `NAME=PATH` apart. Raises UsageError for an empty name, or two alike."""
    found = [_named(text) for text in texts]
    names = [name for name, _ in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two runs are called {twice!r}; write NAME=FILE to give each a name of its own")
    if not all(name.strip() for name in names):
        raise UsageError("a run has no name; write NAME=FILE, or the file alone")
    return found


def plain(text: str) -> str:
    """The text without control signs and halves of signs, which no file, figure or terminal takes."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def spellings(runs: Iterable[tuple[str, Path]]) -> Spellings:
    """What judgements may call each run: its name, or its file's in any of the ways that `scribe judge` writes it."""
    return {name: frozenset(_spelt(name, path)) for name, path in runs}


def unambiguous(spelt: Spellings) -> Spellings:
    """The spellings without those that two runs share."""
    times = Counter(spelling for each in spelt.values() for spelling in each)
    return {name: frozenset(each for each in found if times[each] == 1) for name, found in spelt.items()}


def apart(beside: Sequence[Judgement], name: str, spelt: Spellings) -> tuple[list[Judgement], list[Judgement]]:
    """Judgements of a file that lies beside a run's answers: those of this run, and those of others.

    One `--out` may hold several runs. Where it holds a single one that nobody else is called by, the answers were
    renamed since.
    """
    called = {each.run for each in beside}
    others = frozenset[str]().union(*(found for other, found in spelt.items() if other != name))
    ours = spelt[name] if called & spelt[name] or len(called) > 1 or called & others else called
    return [each for each in beside if each.run in ours], [each for each in beside if each.run not in ours]


def _named(text: str) -> tuple[str, Path]:
    """A file whose own name holds a = is one of that name."""
    name, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        return plain(Path(text).stem), Path(text)
    return plain(name), Path(path)


def _spelt(name: str, path: Path) -> Iterable[str]:
    told = (name, path.name, path.stem, str(path), str(path.with_suffix("")))
    # `scribe judge` writes what no text can hold as a question mark.
    return (*told, *(each.encode("utf-8", "replace").decode() for each in told))
