"""The sentences of a knowledge-driven student: wordings in two languages, one chosen by a draw for each act."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from scribe.tutor.session import ComponentBrief, Language

FILES: dict[Language, str] = {"English": "speech_en.toml", "French": "speech_fr.toml"}


@dataclass(frozen=True, slots=True)
class StudentSpeech:
    """How a student says things in one language."""

    wordings: Mapping[str, Sequence[str]]

    def say(self, draw: Random, act: str, test: str = "", component: ComponentBrief | None = None) -> str:
        """One sentence or two for an act. test: the name of a test; component: what the act is about."""
        words = {"test": to_sentence(test), "text": "", "cue": "", "cues": ""}
        if component is not None:
            cues = component.cues or (component.name.replace("-", " "),)
            words |= {"text": _lower(component.text), "cue": draw.choice(cues), "cues": ", ".join(cues[:2])}
        return draw.choice(self.wordings[act]).format(**words)


@cache
def load_speech(language: Language) -> StudentSpeech:
    """The wordings of a language."""
    raw = tomllib.loads(Path(__file__).with_name(FILES[language]).read_text(encoding="utf-8"))
    return StudentSpeech(raw)


def to_sentence(test: str) -> str:
    """A test's name as words: they say the rule that it tests."""
    return test.removeprefix("test_").replace("_", " ")


def _lower(text: str) -> str:
    """A sentence to stand behind another's beginning."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
