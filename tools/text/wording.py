"""Texts as a small model can copy them: plain, short, whole sentences."""

import re

# "e.g.", "i.e." and "p. ex." end no sentence, and neither does the point of "3.5".
_SENTENCE_END = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<!p\. ex\.)(?<=[.!?])\s+(?=[A-ZÀ-ÖØ-ÞŒŸ\d\"“«])")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_MARKS = re.compile(r"[*`#>]+|(?<!\w)_|_(?!\w)")


def strip_markdown(markdown: str) -> str:
    """Markdown without its marks, on one line."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", markdown)).split())


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a markdown text, in order, without its marks; lists and code are left out."""
    prose = [part for part in re.split(r"\n\s*\n", text.strip()) if not re.match(r"[-*`|#\d]", part.lstrip())]
    return tuple(each for part in prose for each in _SENTENCE_END.split(strip_markdown(part)) if each)


def shorten(text: str, words: int) -> str:
    """The text itself, or its first words and an ellipsis."""
    parts = text.split()
    return text if len(parts) <= words else " ".join(parts[:words]).rstrip(",;:") + " …"


def split_passages(title: str, text: str, words: int = 110) -> tuple[str, ...]:
    """A long text as passages of whole paragraphs of about so many words, each after the title."""
    made: list[list[str]] = [[]]
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if made[-1] and sum(len(part.split()) for part in made[-1]) + len(paragraph.split()) > words:
            made.append([])
        made[-1].append(strip_markdown(paragraph))
    return tuple(f"{title}. {' '.join(parts)}" for parts in made)


def cut_explanation(title: str) -> str:
    """What a title names, without the explanation after its colon; a colon after a space, as in French, is a part."""
    return re.split(r"(?<=\S):", title)[0].strip()
