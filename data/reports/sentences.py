"""Reads a report, whoever wrote it, sentence by sentence: which behaviour, which week, which value."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from data.catalogue import Feature, load_catalogue
from data.course import Course
from data.reports.phrasebook import read_words

# A list goes on only after the plural: "in week 1 to 67 minutes" names one week.
_WEEKS = re.compile(
    r"\b(?:weeks\s+(?P<list>\d+(?:(?:,\s*(?:and\s+)?|\s+(?:and|to|or)\s+|\s*[-–]\s*)\d+)*)|week\s+(?P<one>\d+))",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?<!\d)(\d+)\s*(?:to|[-–])\s*(\d+)", re.IGNORECASE)
_LINE = re.compile(r"^\s*(?:[-*]\s+)?(?:\*\*(?P<part>[^*]+?):?\*\*:?\s*)?(?:(?P<step>\d+)[.)]\s+)?(?P<text>.*)$")
# What `Feature.shown` says begins like this; "less than" belongs to it only before the smallest step.
_NUMBER = r"(?:less than (?=1\b|0\.\d))?\d+(?:[.,]\d+)*(?: thousand| million)?"


@dataclass(frozen=True, slots=True)
class TopicMention:
    """A topic as the sentence names it, the weeks that teach a topic of this name, and where it stands."""

    name: str
    weeks: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReportSentence:
    """One sentence, under the bold name `part`, in the action `step` (0: none); pairs: behaviours with their weeks."""

    text: str
    plain: str  # with weeks and topics blanked out, so that positions are those of `text`
    part: str
    step: int
    weeks: tuple[int, ...]
    features: tuple[tuple[Feature, int], ...]
    quantities: tuple[re.Match[str], ...]
    topics: tuple[TopicMention, ...]
    titles: tuple[tuple[int, str], ...]
    pairs: tuple[tuple[Feature, int], ...]

    @property
    def about(self) -> tuple[Feature, int] | None:
        """The one behaviour and week that the sentence is about, if it is about just one."""
        return self.pairs[0] if len(self.pairs) == 1 else None

    def says(self, claim: str) -> bool:
        """Whether the text holds what claims.toml lists under this name."""
        return compile_claim(claim).search(self.text) is not None


@cache
def compile_claim(name: str) -> re.Pattern[str]:
    """What claims.toml lists under this name in [words], as whole words, or in [expressions]."""
    lists = read_words("claims.toml")
    if name in lists["words"]:
        return re.compile(rf"\b(?:{'|'.join(lists['words'][name])})\b", re.IGNORECASE)
    return re.compile("|".join(lists["expressions"][name]), re.IGNORECASE)


@cache
def compile_table(name: str) -> Mapping[str, re.Pattern[str]]:
    """All of the table "refused" (by the reason why no report may say it) or "sides" (by the side that is claimed)."""
    table = read_words("claims.toml")[name].items()
    return {key: re.compile("|".join(alternatives), re.IGNORECASE) for key, alternatives in table}


def read_sentences(report: str, course: Course) -> list[ReportSentence]:
    """The sentences of a report in their order."""
    found, part = [], ""
    for line in report.splitlines():
        match = _LINE.match(line)
        assert match is not None  # the pattern matches every line
        if not line.strip():
            part = ""
        part = match["part"] or (part if line.lstrip()[:1] not in "-*" else "")
        step = int(match["step"] or 0)
        found += [
            _parse_sentence(text, part, step, course) for text in re.split(r"(?<=[.!?])\s+", match["text"]) if text
        ]
    return found


def _parse_sentence(text: str, part: str, step: int, course: Course) -> ReportSentence:
    titles = tuple(_find_titles(text))
    # The course's title may hold the name of a topic.
    names = [re.escape(name) for name in (course.title, course.title.split(":")[0].strip())]
    spans = [match.span() for name in names for match in re.finditer(name, text)]
    bare = blank_out(text, [*((start, end) for _, _, start, end in titles), *spans])
    named, taught = _compile_topics(tuple((week.number, (*week.topics, *week.topics_en)) for week in course.plan))
    topics = tuple(TopicMention(each.group(), taught[each.group()], *each.span()) for each in named.finditer(bare))
    bare = blank_out(bare, [(one.start, one.end) for one in topics])
    weeks = list(_find_weeks(bare))
    plain = blank_out(bare, [(start, end) for _, start, end in weeks])
    pattern, owners = _compile_names()
    features = tuple((owners[match.group().lower()], match.start()) for match in pattern.finditer(plain))
    return ReportSentence(
        text=text,
        plain=plain,
        part=part,
        step=step,
        weeks=tuple(dict.fromkeys(week for numbers, _, _ in weeks for week in numbers)),
        features=features,
        quantities=tuple(_compile_quantity().finditer(plain)),
        topics=topics,
        titles=tuple((week, title) for week, title, _, _ in titles),
        pairs=tuple(dict.fromkeys(_pair_weeks(features, weeks))),
    )


def list_weeks(weeks: Sequence[int], joint: str) -> str:
    """E.g. "week 4 and week 5"."""
    return f" {joint} ".join(f"week {week}" for week in weeks) or "no week"


def blank_out(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with underscores in place of these parts."""
    for start, end in spans:
        text = text[:start] + "_" * (end - start) + text[end:]
    return text


def _find_titles(text: str) -> Iterator[tuple[int, str, int, int]]:
    """What stands in brackets behind a week, unless it speaks of the class."""
    for match in re.finditer(r"\bweek (\d+) (\([^)]*\))", text, re.IGNORECASE):
        if not re.match(r"\((?:the )?(?:class|typical|median)\b", match[2]):
            yield int(match[1]), match[2][1:-1], match.start(2), match.end(2)


def _find_weeks(text: str) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Groups of week numbers such as "weeks 4 and 5"."""
    for match in _WEEKS.finditer(text):
        said = match["list"] or match["one"]
        numbers = [int(number) for number in re.findall(r"\d+", said)]
        for low, high in _RANGE.findall(said):
            numbers += range(int(low), min(int(high), int(low) + 60) + 1)
        yield tuple(sorted(set(numbers))), match.start(), match.end()


def _pair_weeks(
    features: tuple[tuple[Feature, int], ...], weeks: list[tuple[tuple[int, ...], int, int]]
) -> Iterator[tuple[Feature, int]]:
    """Each behaviour with its weeks: all of them for a single one, else those that follow before the next."""
    ends = [*(place for _, place in features[1:]), 1 << 30][: len(features)]
    for (feature, place), end in zip(features, ends, strict=True):
        near = [numbers for numbers, start, _ in weeks if place < start < end]
        all_of_them = [numbers for numbers, _, _ in weeks]
        for numbers in near if near and len(features) > 1 else all_of_them:
            yield from ((feature, week) for week in numbers)


@cache
def _compile_topics(
    plan: tuple[tuple[int, tuple[str, ...]], ...],
) -> tuple[re.Pattern[str], dict[str, tuple[int, ...]]]:
    """A pattern for all topics in both languages, longest first, and the weeks that teach them."""
    taught: dict[str, tuple[int, ...]] = {}
    for week, topics in plan:
        for topic in dict.fromkeys(topics):
            taught[topic] = (*taught.get(topic, ()), week)
    # Lower-case words of a sentence are not meant as topics: "an orientation".
    return _join_names(taught, re.NOFLAG), taught


@cache
def _compile_names() -> tuple[re.Pattern[str], dict[str, Feature]]:
    catalogue = load_catalogue()
    owners = {feature.label.lower(): feature for feature in catalogue}
    owners |= {
        name.lower(): catalogue.by_name(feature)
        for feature, names in read_words("names.toml").items()
        for name in names
    }
    return _join_names(owners, re.IGNORECASE), owners


@cache
def _compile_quantity() -> re.Pattern[str]:
    """A number as `Feature.shown` says it, with the unit if one follows; the longest unit first."""
    units = {unit for feature in load_catalogue() for unit in (feature.unit, feature.below_zero) if unit}
    # "session" for "sessions"; "hours early" before "hours".
    spelled = [re.sub(r"s(?= |$)", "s?", unit) for unit in sorted(units | {"times"}, key=len, reverse=True)]
    return re.compile(rf"(?<![\w.])(?P<number>{_NUMBER})(?: (?P<unit>{'|'.join(spelled)})\b)?")


def _join_names(names: Iterable[str], flags: int) -> re.Pattern[str]:
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", flags)
