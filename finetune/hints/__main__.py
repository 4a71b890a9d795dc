"""Train the hints, say how well they read, and save them."""

import argparse
from dataclasses import replace
from pathlib import Path

import finetune.hints
from data.bundle import EMBEDDED, HINTS, find
from finetune import sums
from finetune.hints.report import NEIGHBOURS, by_neighbours, report
from finetune.hints.sample import TAUGHT, drawn, samples, training
from finetune.hints.tuning import tune
from finetune.telling import shown
from tools.embedder import MiniLM
from tools.reading.reader import embedder_for, load, save


def main() -> None:
    """Train, report by language, save."""
    parser = argparse.ArgumentParser(
        description=finetune.hints.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=EMBEDDED / HINTS)
    parser.add_argument("--vote", action="store_true", help="beside it a vote of the nearest known wordings; slow")
    given = parser.parse_args()
    with shown() as tell:
        head = tune(drawn(), lambda done, total, _: tell("hints", done, total))
    save(head, given.out)
    sums.update(given.out)
    head = load(given.out)  # as it is used: rounded
    embedder, courses = embedder_for(head), [find(name) for name in TAUGHT]
    for language in dict.fromkeys(course.language for course in courses):
        own = [course for course in courses if course.language == language]
        held = samples(embedder, own, held_out=True, seed=7)
        print(f"{language}: {report(head, embedder, held)}", flush=True)
        if given.vote:
            plain = replace(held, vectors=MiniLM().embed(held.texts, "query"))
            print(f"{language}: a vote of {NEIGHBOURS} neighbours {by_neighbours(plain, training()):.3f}", flush=True)


if __name__ == "__main__":
    main()
