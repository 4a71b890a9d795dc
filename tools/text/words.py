"""LanguageWords of a text as search compares them: small letters without accents, stemmed, fillers left out."""

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
"""LanguageWords of a query that are looked at."""
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


def folded(text: str) -> str:
    """Small letters without accents; of the same length as the text where it is plain Latin."""
    spread = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("æ", "ae"))
    return "".join(letter for letter in spread if not unicodedata.combining(letter))


def stop_words(language: str) -> frozenset[str]:
    """The words, folded, that sentences of a language are held together by; none for an unknown language."""
    told = _STOP_WORDS.get(language, ())
    return frozenset(part for word in told for part in WORD.findall(folded(word)))


class LanguageWords:
    """LanguageWords of one language, "en" or "fr"; any other is read as English."""

    def __init__(self, language: str = ENGLISH) -> None:
        known = language if language in _STEMMERS else ENGLISH
        self._stemmer = Stemmer.Stemmer(_STEMMERS[known])
        self._language = known
        # A stemmer keeps a state of its own while it works.
        self._lock = threading.Lock()

    @cached_property
    def fillers(self) -> frozenset[str]:
        """LanguageWords that say nothing about the subject, folded."""
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
