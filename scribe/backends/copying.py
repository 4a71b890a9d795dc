"""Copying from the prompt: what stands there behind the words that a turn has just repeated is likely to come next.

A model that quotes knows where it reads, but a small one now and then spells a rare word or number wrongly in the
middle of a quotation. So its distribution is mixed with a pointer's, as in a continuous cache (Grave et al. 2017,
arXiv:1612.04426): p = (1 - share) p_model + share p_pointer. Ours points at one token only, and only where the longest
run of tokens that the turn repeats goes on in one way; where a sentence leaves its source, a model that is sure wins.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scribe.backends.chat import Encode
from scribe.messages import ERROR_NOTICE, Message

LEAST = 3
"""Tokens that must be repeated before anything is pointed at."""
SHARE = 0.3
"""The pointer's share for our own model, which only quotes (measured: finetune/LOG.md, run 8)."""
_ENDS = {"system": ("\0",), "user": ("\0",), "tool": ('"',)}
_GAP = -1


class Copier:
    """Follows one turn through the prompt that it may copy from. share: 0 to 1, how much the pointer counts."""

    def __init__(self, sources: Iterable[Sequence[int]], share: float) -> None:
        self._ids = [token for source in sources for token in (*source, _GAP)]
        self._log = (np.float32(np.log1p(-share)), np.float32(np.log(share)))
        self._places: defaultdict[int, list[int]] = defaultdict(list)
        for place, token in enumerate(self._ids):
            self._places[token].append(place)
        self._runs: dict[int, int] = {}

    def push(self, token: int) -> None:
        """The turn goes on with this token."""
        before = self._runs
        self._runs = {place: before.get(place - 1, 0) + 1 for place in self._places.get(token, ())}

    @property
    def following(self) -> int | None:
        """The one token that follows the longest repeated run wherever it stands; None if there is no such token."""
        longest = max(self._runs.values(), default=0)
        if longest < LEAST:
            return None
        found = {self._ids[place + 1] for place, run in self._runs.items() if run == longest}
        return found.pop() if len(found) == 1 and _GAP not in found else None

    def mixed(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """The mixture's logits (vocabulary,), given the model's."""
        token = self.following
        if token is None:
            return logits
        highest = logits.max()
        shares: NDArray[np.float32] = logits - (highest + np.log(np.exp(logits - highest).sum())) + self._log[0]
        shares[token] = np.logaddexp(shares[token], self._log[1])
        return shares


def copier(prompt: Sequence[Message], encode: Encode, share: float) -> Copier | None:
    """A copier for the answer to this prompt; None where nothing is to be copied.

    It copies from what people and tools wrote: not from rules, and not from the model's own turns, nor from notices,
    which quote the wrong ones.
    """
    if share <= 0:
        return None
    sources = (each for each in prompt if each.role in _ENDS and not each.content.startswith(ERROR_NOTICE))
    # What tools return is JSON: a sentence ends with its string, not with the key behind it.
    parts = (part for each in sources for part in each.content[each.public :].split(*_ENDS[each.role]))
    return Copier((encode(part, False) for part in parts if part.strip()), share)
