"""The guard before an answer reaches a student."""

from scribe.grounding.check import Grounding
from scribe.grounding.lexicon import Lexicon

__all__ = ["Grounding", "Lexicon"]
