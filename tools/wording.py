"""Texts as a small model can copy them: plain, short, whole sentences, round numbers."""

import re
from collections.abc import Iterable, Sequence

from data.course import Student
from data.standing import Standing, whole

# "e.g.", "i.e." and "p. ex." end no sentence, and neither does the point of "3.5".
_SENTENCE_END = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<!p\. ex\.)(?<=[.!?])\s+(?=[A-ZÀ-ÖØ-ÞŒŸ\d\"“«])")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_MARKS = re.compile(r"[*`#>]+|(?<!\w)_|_(?!\w)")


def plain(markdown: str) -> str:
    """Markdown without its marks, on one line."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", markdown)).split())


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a markdown text, in order, without its marks; lists and code are left out."""
    prose = [part for part in re.split(r"\n\s*\n", text.strip()) if not re.match(r"[-*`|#\d]", part.lstrip())]
    return tuple(each for part in prose for each in _SENTENCE_END.split(plain(part)) if each)


def shortened(text: str, words: int) -> str:
    """The text itself, or its first words and an ellipsis."""
    parts = text.split()
    return text if len(parts) <= words else " ".join(parts[:words]).rstrip(",;:") + " …"


def chunks(title: str, text: str, words: int = 110) -> tuple[str, ...]:
    """A long text as passages of whole paragraphs of about so many words, each after the title."""
    made: list[list[str]] = [[]]
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if made[-1] and sum(len(part.split()) for part in made[-1]) + len(paragraph.split()) > words:
            made.append([])
        made[-1].append(plain(paragraph))
    return tuple(f"{title}. {' '.join(parts)}" for parts in made)


def head(title: str) -> str:
    """What a title names, without the explanation after its colon; a colon after a space, as in French, is a part."""
    return re.split(r"(?<=\S):", title)[0].strip()


def glossed(name: str, english: str) -> str:
    """A name with its English in brackets, where it has one that says more than the name itself."""
    return f"{name} ({english})" if english and english.casefold() != name.casefold() else name


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a person lists them: "a, b and c"."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def percent(value: float) -> str:
    """A percentage as a whole number with its unit."""
    return f"{whole(value)} percent"


def points(value: float) -> str:
    """Points to the tenth, without a useless zero: "7.5", "12"."""
    return f"{round(value + 1e-9, 1):.1f}".removesuffix(".0")


def weeks(numbers: Iterable[int]) -> str:
    """Weeks as words: "week 3", "weeks 2, 4 and 5"."""
    names = [str(number) for number in sorted(set(numbers))]
    return f"{'week' if len(names) == 1 else 'weeks'} {listed(names)}"


def pace(so_far: Standing, student: Student) -> list[str]:
    """The one sentence that is due where the marks so far and the outlook disagree; else none."""
    if not so_far.disagrees(student):
        return []
    if so_far.keeps_pace:
        return ["Your marks so far keep pace with the pass mark, but the way you study points the other way."]
    return ["Your marks so far are below the pace for the pass mark, but the way you study points towards a pass."]
