"""The guard before an answer reaches a student."""

from scribe.grounding.check import Grounding
from scribe.grounding.subjects import Lexicon

__all__ = ["Grounding", "Lexicon"]
