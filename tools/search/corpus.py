"""One index of what a course teaches with: the sections of its textbook, then its exercises."""

from dataclasses import dataclass, replace

from data.course import Course, Exercise, Section
from tools.search.index import Entry, Hit, Index
from tools.search.text import cut_explanation, split_passages, split_sentences, strip_markdown
from tools.search.vector_store import VectorStore


@dataclass(frozen=True)
class Corpus:
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


def open_corpus(course: Course, store: VectorStore) -> Corpus:
    """The course's index; the store keeps it, so all students of the course share one."""
    key = (Corpus, course.language, course.plan, course.textbook, course.exercises)
    return store.once(key, lambda: _build(course, store))


def _build(course: Course, store: VectorStore) -> Corpus:
    entries = [_section(course, section) for section in course.textbook]
    entries += [_exercise(course, exercise) for exercise in course.exercises]
    return Corpus(Index(tuple(entries), store, language=course.language), len(course.textbook))


def _section(course: Course, section: Section) -> Entry:
    opening = next(iter(split_sentences(section.text)), "")
    told = (f"{section.title}. {opening}", *split_passages(section.title, section.text))
    topic = cut_explanation(section.title)
    english = course.english(section.title) or course.english(topic)
    # Small models read English best, and some students ask in it.
    passages = (*told, english) if english else told
    return Entry(tuple(filter(None, (topic, english))), passages, f"{section.title}. {strip_markdown(section.text)}")


def _exercise(course: Course, exercise: Exercise) -> Entry:
    told = f"{exercise.topic}. {exercise.title}. {strip_markdown(exercise.text)}"
    english = course.english(exercise.topic)
    return Entry(tuple(filter(None, (exercise.topic, english))), (told,), told)
