"""How far the nearest known wordings alone tell which tool a question needs: what exemplars in a prompt could bring.

    python -m finetune.neighbours

For held-out wordings: the share whose weighted vote among the k nearest training wordings (all-MiniLM-L6-v2)
names an acceptable first tool, and the share with at least one such neighbour.
"""

from collections import Counter

import numpy as np

from finetune.questions import INTENTS, wordings
from finetune.scripts_talk import ACCEPTABLE
from tools.embedder import SentenceEmbedder

FILLED = {
    "{week}": "4",
    "{topic}": "aliasing",
    "{feature}": "quiz score per attempt",
    "{behaviour}": "studying more regularly",
    "{student}": "Anna",
}


def known(held_out: bool) -> list[tuple[str, str]]:
    """Intent and text of every wording on one side of the split, slots filled."""
    return [
        (intent, filled(line)) for intent in INTENTS if intent != "follow_up" for line in wordings(intent, held_out)
    ]


def filled(line: str) -> str:
    """A wording with an example in each slot."""
    text = line.split("\t")[-1]
    for slot, example in FILLED.items():
        text = text.replace(slot, example)
    return text


def fits(guess: str, intent: str) -> bool:
    """Whether a question of one intent is served by the first tool of another."""
    none = frozenset({""})
    return bool(ACCEPTABLE.get(guess, none) & ACCEPTABLE.get(intent, none))


def main() -> None:
    """Print both shares for some k."""
    training, held = known(False), known(True)
    embedder = SentenceEmbedder()
    vectors = [embedder.embed([text for _, text in side]) for side in (held, training)]
    alike = vectors[0] @ vectors[1].T
    for k in (1, 4, 8):
        voted = near = 0
        for row, (intent, _) in zip(alike, held, strict=True):
            votes: Counter[str] = Counter()
            for place in np.argsort(-row)[:k]:
                votes[training[place][0]] += row[place] ** 4
            voted += fits(votes.most_common(1)[0][0], intent)
            near += any(fits(guess, intent) for guess in votes)
        print(f"k={k}: vote {voted / len(held):.3f}, among them {near / len(held):.3f} of {len(held)}")


if __name__ == "__main__":
    main()
