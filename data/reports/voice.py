"""One report's voice: chooses among the phrases, never the same twice, and fills in names and values."""

import random

from data.course import Course, Student
from data.reports.findings import RARE, UNUSUAL, FeatureFinding
from data.reports.phrasebook import Phrases, choose_words, fill_slots, find_phrases, name_course


class Voice:
    """Speaks to one student; the same seed says the same."""

    def __init__(self, course: Course, student: Student, seed: str) -> None:
        self.course = course
        self.student = student
        self.outcome = student.predicted
        self.chance = random.Random(f"{course.id}.{student.id}.{seed}")
        self._used: set[str] = set()

    def pick(self, options: Phrases) -> str:
        """One of the phrases with its alternatives settled; none twice as long as there are others."""
        fresh = [phrase for phrase in options if phrase not in self._used]
        phrase = self.chance.choice(fresh or list(options))
        self._used.add(phrase)
        return choose_words(phrase, self.chance)

    def say(self, *path: str, **slots: object) -> str:
        """A sentence from a place of phrases.toml; {course} is always known."""
        return fill_slots(self.pick(find_phrases(*path)), {"course": name_course(self.course), **slots})

    def say_outcome(self, *path: str, **slots: object) -> str:
        """The same for the student's predicted outcome, the last key of the place."""
        return self.say(*path, self.outcome, **slots)

    def compare(self, finding: FeatureFinding, frame: str = "first") -> str:
        """The student's value of one week beside the class's."""
        return self._frame(finding, frame, self._tail(finding))

    def follow_up(self, finding: FeatureFinding, before: FeatureFinding) -> str:
        """The same as a second sentence, which knows whether the first was about this week."""
        return self.compare(finding, "same" if finding.week == before.week else "more")

    def compare_rank(self, finding: FeatureFinding) -> str:
        """The same with the student's place in the class where that is a far one."""
        share = finding.extremity
        if share < UNUSUAL or _is_mixed(finding):
            return self.compare(finding)
        end = "lowest" if finding.share_above > finding.share_below else "highest"
        places = find_phrases("rank", end, "tenth" if share >= RARE else "quarter")
        place = choose_words(self.chance.choice(places), self.chance)
        return self._frame(finding, "first", find_phrases("rank", "tails"), place=place)

    def state(self, finding: FeatureFinding) -> str:
        """The student's value of one week without the class's."""
        return self._frame(finding, "first", ("",))

    def _frame(self, finding: FeatureFinding, frame: str, tails: Phrases, **slots: str) -> str:
        clause, typical = self._clause(finding)
        known = {"week": f"week {finding.week}", "clause": clause, "typical": typical, **slots}
        tail = fill_slots(self.pick(tails), known) if tails != ("",) else ""
        return fill_slots(self.pick(find_phrases("frames", frame)), {**known, "tail": tail})

    def _clause(self, finding: FeatureFinding) -> tuple[str, str]:
        """A clause with the student's value, and the class's as it is said beside it."""
        own, typical = finding.shown(finding.own), finding.shown(finding.typical)
        bare, wording = finding.number(finding.own), finding.wording
        # "1 clicks": phrases that count need more than one, or none.
        options = tuple(one for one in wording.says if bare != "1" or "{number} " not in one)
        clause = self.pick(wording.early if finding.own < 0 and wording.early else options)
        if "{number}" in clause:
            typical = finding.number(finding.typical)
        elif _is_mixed(finding) and finding.typical > 0:
            typical = f"a delay of {typical}"
        return clause.format(value=own, number=bare), typical

    def _tail(self, finding: FeatureFinding) -> Phrases:
        """What may be said of the class beside this value."""
        if finding.side == "same":
            return find_phrases("tails", "same")
        if _is_mixed(finding):
            return find_phrases("tails", "mixed")
        # "below the less than 1 percent" is no English.
        if not finding.clear or finding.shown(finding.typical).startswith("less") or finding.own < 0:
            return find_phrases("tails", "plain")
        options = (*find_phrases("tails", "plain"), *find_phrases("tails", finding.side))
        if finding.favourable is None:
            return options
        own, judgement = (finding.wording.better, "better") if finding.favourable else (finding.wording.worse, "worse")
        return (*options, *(own or find_phrases("tails", judgement)))


def _is_mixed(finding: FeatureFinding) -> bool:
    """One of the two values is said in another unit, such as "hours early"."""
    return (finding.own < 0) != (finding.typical < 0)
