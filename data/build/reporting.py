"""The reports of all students, each held against the data before it may be part of the bundle."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from data.build.staging import REPORTS
from data.build.steps import Progress
from data.course import BundleError, Course, Student
from data.reports.claims import Checker
from data.reports.compose import write_report


@dataclass(frozen=True, slots=True)
class Draft:
    """A report, and what wrote it: "composed" by our own sentences, or "llm"."""

    text: str
    source: str


Write = Callable[[Course, Student, str], Draft]


def composed(course: Course, student: Student, theory: str) -> Draft:
    """A report from our own sentences."""
    return Draft(write_report(course, student, theory), "composed")


@dataclass(frozen=True, slots=True)
class Writing:
    """Which reports each student gets, who writes them, and how many at once (for a writer that waits)."""

    theories: Sequence[str]
    write: Write = composed
    at_once: int = 1

    def all(self, folder: Path, course: Course, progress: Progress) -> Counter[str]:
        """Write the reports of all students into `folder`; returns how many each source wrote.

        Raises BundleError naming the first report with a claim that the student's data does not bear out.
        """
        (folder / REPORTS).mkdir()
        check, written = Checker(course), Counter[str]()
        wanted = [(student, theory) for student in course.students.values() for theory in self.theories]
        with ThreadPoolExecutor(self.at_once) as pool:
            drafts = pool.map(lambda each: self.write(course, *each), wanted)
            for (student, theory), draft in zip(wanted, drafts, strict=True):
                name = f"{student.id}.{theory}.md"
                if wrong := check(draft.text, student):
                    raise BundleError(f"{REPORTS}/{name}: says what the data does not: {'; '.join(wrong)}")
                (folder / REPORTS / name).write_text(draft.text, encoding="utf-8")
                written[draft.source] += 1
                progress(written.total(), len(wanted))
        return written
