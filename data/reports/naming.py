"""How a report names what a course teaches: French topics and titles with their English beside them."""

from data.course import Course, Week

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def course_name(course: Course) -> str:
    """The title as it is said in a sentence: "Villes africaines I" without what follows a colon."""
    return course.title.split(":")[0].strip()


def topic_name(course: Course, topic: str) -> str:
    """A topic, in a course of another language with its English, e.g. "Cadastre (Cadaster)"."""
    week = course.week(course.week_of(topic))
    english = dict(zip(week.topics, week.topics_en, strict=False)).get(topic, "")
    return topic if english in ("", topic) else f"{topic} ({english})"


def week_name(week: Week, titled: bool = False) -> str:
    """E.g. "week 7", with the title "week 7 (Topométrie – Surveying)"."""
    titles = week.title if week.title_en in ("", week.title) else f"{week.title} – {week.title_en}"
    return f"week {week.number} ({titles})" if titled else f"week {week.number}"


def weeks_counted(count: int) -> str:
    """A number of weeks in words, e.g. "five weeks"; digits are for values and for which week is meant."""
    word = _WORDS[count] if count < len(_WORDS) else str(count)
    return f"{word} week" if count == 1 else f"{word} weeks"
