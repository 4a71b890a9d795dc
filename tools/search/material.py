"""One index of what a course teaches with: the sections of its textbook, then its exercises."""

from dataclasses import dataclass, replace

from data.course import Course, Exercise, Section
from tools.search.index import Entry, Hit, Index
from tools.search.vault import Vault
from tools.wording import chunks, head, plain, sentences


@dataclass(frozen=True)
class Material:
    """The index of a course; the places of hits are those in `course.textbook` or in `course.exercises`."""

    index: Index
    sections: int

    def search_sections(self, query: str) -> tuple[Hit, ...]:
        """All sections, best first."""
        return self.index.search(query, range(self.sections))

    def search_exercises(self, query: str) -> tuple[Hit, ...]:
        """All exercises, best first."""
        hits = self.index.search(query, range(self.sections, len(self.index.entries)))
        return tuple(replace(hit, place=hit.place - self.sections) for hit in hits)


def material(course: Course, vault: Vault) -> Material:
    """The course's index; the vault keeps it, so all students of the course share one."""
    key = (Material, course.language, course.plan, course.textbook, course.exercises)
    return vault.once(key, lambda: _made(course, vault))


def _made(course: Course, vault: Vault) -> Material:
    entries = [_section(course, section) for section in course.textbook]
    entries += [_exercise(course, exercise) for exercise in course.exercises]
    return Material(Index(tuple(entries), vault, language=course.language), len(course.textbook))


def _section(course: Course, section: Section) -> Entry:
    opening = next(iter(sentences(section.text)), "")
    told = (f"{section.title}. {opening}", *chunks(section.title, section.text))
    topic = head(section.title)
    english = course.english(section.title) or course.english(topic)
    # Small models read English best, and some students ask in it.
    passages = (*told, english) if english else told
    return Entry(tuple(filter(None, (topic, english))), passages, f"{section.title}. {plain(section.text)}")


def _exercise(course: Course, exercise: Exercise) -> Entry:
    told = f"{exercise.topic}. {exercise.title}. {plain(exercise.text)}"
    english = course.english(exercise.topic)
    return Entry(tuple(filter(None, (exercise.topic, english))), (told,), told)
