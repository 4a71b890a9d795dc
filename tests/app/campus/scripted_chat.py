"""`scribe chat` with a scripted model, for tests that need whole processes."""

import sys

from app.cli import main
from tests.app.web.attentive import Attentive

if __name__ == "__main__":
    sys.exit(main(["chat", *sys.argv[1:]], make_backend=lambda settings: Attentive()))
