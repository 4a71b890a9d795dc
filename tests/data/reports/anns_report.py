"""Ann, who is predicted to fail DSP, her class, and a report about her that a person could have written."""

import dataclasses

from data.course import Course, Importance, Student, Sufficient
from data.reports.claims import find_false_claims
from tests.data.reports.classes import HOURS, outline

USUAL = {
    ("TotalTimeSessions", 5): 6000.0,
    ("CompetencyAlignment", 4): 0.6,
    ("CompetencyAlignment", 5): 0.6,
    ("DelayLecture", 3): 20 * HOURS,
    ("FrequencyEventPause", 2): 0.2,
}
HERS = {
    ("TotalTimeSessions", 5): 2400.0,
    ("CompetencyAlignment", 4): 0.2,
    ("CompetencyAlignment", 5): 0.3,
    ("DelayLecture", 3): 60 * HOURS,
    ("FrequencyEventPause", 2): 0.5,
}
ANN = Student(
    id="ann",
    features=HERS,
    importances=(
        Importance(5, "TotalTimeSessions", 3.0, "increase", "pass", 5400.0),
        Importance(4, "CompetencyAlignment", 2.0, "increase", "pass", 0.6),
        Importance(5, "CompetencyAlignment", 1.8, "increase", "pass", 0.55),
        Importance(3, "DelayLecture", 1.5, "decrease", "pass", 22 * HOURS),
        Importance(2, "FrequencyEventPause", 1.0, "decrease", "pass", 0.25),
    ),
    grades=(),
    reports={},
    predicted="fail",
    probability=0.2,
    sufficient=(Sufficient(5, "TotalTimeSessions"), Sufficient(3, "DelayLecture")),
)
REPORT = """\
Dear Ann, you want to pass Digital Signal Processing and understand what a spectrum tells you. You are not on \
track yet, and there is still time to change that.

- **Necessary causes:** In week 5 your total study time was only 40 minutes, while a typical student studied for 100 \
minutes. In week 4, you solved few tasks: 20 percent of quiz problems fully solved, below the class median of \
60 percent.
- **Robust explanation:** Even if everything else were typical of the class, your total study time in week 5 and your \
delay before watching lectures in week 3 would be enough on their own to keep you where you are.

What I would do now:

1. In week 6, plan three evenings for the Sampling theorem, which builds on Approximation by projection from week 3.
2. In week 8 (Image processing), watch the lectures early and revise Convolution from week 5 before Image filtering.
"""


def anns_class() -> Course:
    """Ann and ten others with the usual values."""
    others = {f"s{number}": dataclasses.replace(ANN, id=f"s{number}", features=USUAL) for number in range(10)}
    return dataclasses.replace(outline("dsp"), students={"ann": ANN, **others})


def find_faults(report: str, student: Student, course: Course) -> list[str]:
    """What the checker says of one report."""
    return find_false_claims(report, student, course)
