"""Texts as search compares them, by stemmed words without fillers, and as a small model can copy them: plain, short."""

import re
import threading
import unicodedata
from collections.abc import Sequence
from functools import cached_property

import Stemmer
from bm25s.stopwords import STOPWORDS_EN_PLUS, STOPWORDS_FRENCH

# "A/B" and "D/A" are words of their own; an apostrophe ends one, as in "l'altitude".
WORD = re.compile(r"\b\w/\w\b|[^\W_]+")
LONGEST = 64
"""Words of a query that are looked at."""
ENGLISH = "en"
_STEMMERS = {ENGLISH: "english", "fr": "french"}
_STOP_WORDS = {ENGLISH: STOPWORDS_EN_PLUS, "fr": STOPWORDS_FRENCH}
# What students wrap a question in, and other words that name no subject.
_FILLERS = {
    ENGLISH: """
    also could every exercise exercises explain find get give gives got hello help hey hi idea know let like lot maybe
    mean means might much must need okay one people please practice practise pls question questions really show someone
    something sorry talk tell thank thanks thing things think thx try understand use used using want way whats would
    """,
    "fr": """
    afin ainsi alors après aussi autre autres avant beaucoup besoin bien bonjour bonsoir ça car cela celle celui ceux
    chaque chez chose choses comme comment comprend comprendre comprends contre cette cet depuis dire dis dit doit
    doivent donc donne donner dont encore entre est et être exercice exercices explique expliquer expliquez façon faire
    fais fait falloir faut font fonctionne ici jamais juste là lors lorsque lequel laquelle merci moins mot montre
    montrer ni non où parle peu peut peuvent peux plus plusieurs plutôt pourquoi pourrait prendre puis quand quel quelle
    quelles quels quelque quelques question questions quoi rien salut sans savoir sert servent si sous souvent svp tous
    tout toute toutes très trop trouve trouver utilise utiliser vers veut veux voir voudrais vraiment
    """,
}
# "e.g.", "i.e." and "p. ex." end no sentence, and neither does the point of "3.5".
_SENTENCE_END = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<!p\. ex\.)(?<=[.!?])\s+(?=[A-ZÀ-ÖØ-ÞŒŸ\d\"“«])")
_LINK = re.compile(r"\[([^\[\]]+)\]\([^()]+\)")
_MARKS = re.compile(r"[*`#>]+|(?<!\w)_|_(?!\w)")


def folded(text: str) -> str:
    """Small letters without accents; of the same length as the text where it is plain Latin."""
    spread = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("æ", "ae"))
    return "".join(letter for letter in spread if not unicodedata.combining(letter))


def stop_words(language: str) -> frozenset[str]:
    """The words, folded, that sentences of a language are held together by; none for an unknown language."""
    told = _STOP_WORDS.get(language, ())
    return frozenset(part for word in told for part in WORD.findall(folded(word)))


class LanguageWords:
    """The words of one language, "en" or "fr"; any other is read as English."""

    def __init__(self, language: str = ENGLISH) -> None:
        known = language if language in _STEMMERS else ENGLISH
        self._stemmer = Stemmer.Stemmer(_STEMMERS[known])
        self._language = known
        # A stemmer keeps a state of its own while it works.
        self._lock = threading.Lock()

    @cached_property
    def fillers(self) -> frozenset[str]:
        """Words that say nothing about the subject, folded."""
        told = (*_STOP_WORDS[self._language], *_FILLERS[self._language].split())
        return frozenset(part for word in told for part in WORD.findall(folded(word)))

    def split(self, text: str) -> list[str]:
        """All words in their order, folded."""
        return WORD.findall(folded(text))

    def split_telling(self, text: str) -> list[str]:
        """The words that are no fillers."""
        return [word for word in self.split(text) if word not in self.fillers]

    def stems(self, words: Sequence[str]) -> list[str]:
        """The stem of each of these folded words."""
        with self._lock:
            return list(self._stemmer.stemWords(list(words)))


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
