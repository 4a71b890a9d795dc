"""The same questions to every model, by the machinery of `scribe answer`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.batch.answering import Answering
from app.batch.fingerprints import Ground
from app.batch.job import Options, Outcome, run
from app.batch.running import Engine
from app.batch.threads import Threads
from app.settings import Settings
from data.course import Course
from scribe.plumbing.files import hash_path, write_text


@dataclass(frozen=True, slots=True)
class Asking:
    """questions: the file; out: the folder of answers. limit: rows from the beginning. fresh: throw away what is there.

    settings: everything but the model.
    """

    questions: Path
    out: Path
    settings: Settings
    limit: int | None = None
    fresh: bool = False

    def path(self, name: str) -> Path:
        """Where a model's answers lie."""
        return self.out / f"{name}.jsonl"

    def ask(self, name: str, model: Path) -> Outcome:
        """Answer what this model has not answered yet. Raises UsageError, BackendError or BrokenOff."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        chosen = self.settings.changed("model", backend="llama", path=str(model))
        fresh = self.fresh or self._is_of_others(path, model)
        parallel = chosen.model.parallel
        options = Options(self.questions, path, limit=self.limit, retry_failed=True, fresh=fresh, parallel=parallel)

        def start(courses: Mapping[str, Course], grounds: Mapping[str, Ground], rows: int) -> Engine:
            return Threads(Answering(chosen, courses, None), parallel)

        return run(options, chosen, start)

    def _is_of_others(self, path: Path, model: Path) -> bool:
        """Whether the answers there are another model's or to other questions; from now on they are of these."""
        note, now = path.with_suffix(".of"), f"{hash_path(model)} {hash_path(self.questions)}\n"
        if note.exists() and note.read_text(encoding="utf-8") == now:
            return False
        path.unlink(missing_ok=True)
        write_text(note, now)
        return True
