"""`scribe tutor … --page` with a scripted model, for tests that need whole processes."""

import sys

from app.cli import main
from tests.app.tutoring.page.scripted_tutor import ScriptedTutor

if __name__ == "__main__":
    sys.exit(main(["tutor", *sys.argv[1:]], make_backend=lambda settings: ScriptedTutor()))
