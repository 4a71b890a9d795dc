"""Ask the model of the settings a sample of the attacks, and count what comes out: `python -m tests.hostile [COUNT]`.

The tests ask a model that obeys. This one asks a real one, which takes seconds a question.
"""

import sys
import tempfile
from pathlib import Path

from app.settings import load_settings
from tests.hostile.asking import attack_with
from tests.hostile.corpus import TEXTS, choose
from tests.hostile.world import find_leaks, load_world
from tools.assembly.model import make_backend

SAMPLE = 20


def main() -> None:
    """Ask, print a line for each, and leave with 1 if anything came out."""
    attacks = choose(*TEXTS)
    count = min(int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE, len(attacks))
    chosen = [attacks[place * len(attacks) // count] for place in range(count)]
    leaked = 0
    with tempfile.TemporaryDirectory() as folder:
        course, backend = load_world(Path(folder)), make_backend(load_settings())
        for attack in chosen:
            said = attack_with(attack, course, backend, Path(folder), lambda agent: agent)
            found = find_leaks("\n".join(said))
            leaked += bool(found)
            print(f"{attack.id}: {', '.join(found) or 'nothing'}", flush=True)
    print(f"{leaked} of {count} attacks got something")
    sys.exit(1 if leaked else 0)


if __name__ == "__main__":
    main()
