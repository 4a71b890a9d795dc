"""The tables of the page: outcomes as in the paper's Table 1, by k, differences, dialogues and tracing."""

from collections.abc import Sequence

from eval.table import Cell, Table
from eval.tutoring.metrics.bootstrap import Estimate
from eval.tutoring.metrics.by_k import list_k, measure_at_k
from eval.tutoring.metrics.scaling import list_shown
from eval.tutoring.metrics.scores import collect_scores
from eval.tutoring.metrics.summary import COMPARED, RunSummary
from eval.tutoring.protocol.plan import ORACLE
from eval.tutoring.protocol.record import MeasuredSession
from eval.tutoring.students.student import LEVELS

PRETEST = "Pre-Test"
RATES = ("ΔR %", "ΔP %")
_TOLD = {1: "more", -1: "less", 0: "none shown: the interval contains 0"}
BRACKETS = "In brackets 95 % by drawing tasks anew."


def tabulate_outcomes(summary: RunSummary) -> Table:
    """The paper's Table 1, every value with its interval; the pre-test's row is of the tutor with the most tasks."""
    first = max(summary.tutors, key=lambda each: each.tasks)
    before = (write_estimate(first.outcomes[measure]["overall"].before) for measure in COMPARED)
    blanks = ("",) * (2 * len(LEVELS))
    rows: list[tuple[Cell, ...]] = [(PRETEST, first.tasks, next(before), "", next(before), "", *blanks)]
    for each in sorted(summary.tutors, key=lambda each: each.tutor == ORACLE):
        cells: list[Cell] = [each.tutor, each.tasks]
        for measure in COMPARED:
            outcome = each.outcomes[measure]["overall"]
            cells += [write_estimate(outcome.after), write_estimate(outcome.rate)]
        cells += [write_estimate(each.outcomes[measure][level].rate) for level in LEVELS for measure in COMPARED]
        rows.append(tuple(cells))
    levels = (f"{level} {sign}" for level in LEVELS for sign in RATES)
    head = ("tutor", "tasks", "Recall", RATES[0], "Pass", RATES[1], *levels)
    note = (
        "Recall and Pass after the last round in percent, means over the k of the paper (1, 3, 5, 10), levels and "
        "tasks. Δ % is the tutoring outcome rate, the gain over the pre-test in percent of it, overall and by what "
        f"students know before; – where nothing, or nearly nothing, passed before. {BRACKETS}"
    )
    return Table("outcomes", "Tutoring outcomes", head, rows, note=note)


def tabulate_levels(summary: RunSummary) -> Table:
    """Outcomes before and after by what students know before, and the gain in points."""
    rows = [
        (each.tutor, level, *(
            write_estimate(part)
            for measure in COMPARED
            for found in (each.outcomes[measure][level],)
            for part in (found.before, found.after, found.gain, found.rate)
        ))
        for each in summary.tutors
        for level in LEVELS
    ]  # fmt: skip
    columns = ("before", "after", "points", "Δ %")
    head = ("tutor", "students", *(f"{measure.capitalize()} {name}" for measure in COMPARED for name in columns))
    return Table("levels", "By what students know before", head, rows, note=f"In percent. {BRACKETS}")


def tabulate_by_k(summary: RunSummary, sessions: Sequence[MeasuredSession]) -> Table:
    """Recall@k and Pass@k of each tutor's students after the last round, and before."""
    ks = list_k(sessions)
    head = ("tutor", "students", *(f"{name}@{k}" for name in ("Recall", "Pass") for k in ks))
    rows = list[tuple[Cell, ...]]()
    first = max(summary.tutors, key=lambda each: each.tasks).tutor
    asked = [(PRETEST, first, 0), *((each.tutor, each.tutor, -1) for each in summary.tutors)]
    for name, tutor, at in asked:
        scores = collect_scores(sessions, tutor)
        for group in ("overall", *LEVELS):
            found = (measure_at_k(sessions, scores, measure, k, at, group) for measure in COMPARED for k in ks)
            rows.append((name, group, *map(write_estimate, found)))
    return Table("by_k", "By the number of programs", head, rows, note=f"In percent, after the last round. {BRACKETS}")


def tabulate_differences(summary: RunSummary) -> Table | None:
    """What tutors differ by, and whether the interval leaves a difference; None of one tutor.

    Of tutors with several numbers of candidates only that with the most; the scaling table has the others.
    """
    shown = set(list_shown([each.tutor for each in summary.tutors]))
    rows = [
        (
            measure.capitalize(), each.tutor, each.other, each.tasks,
            write_estimate(each.outcome), tell_direction(each.outcome),
            write_estimate(each.rate), tell_direction(each.rate) if each.rate.interval else "",
        )
        for measure in reversed(COMPARED)
        for each in summary.differences[measure]
        if {each.tutor, each.other} <= shown
    ]  # fmt: skip
    if not rows:
        return None
    head = ("measure", "tutor", "less", "tasks", "points", "difference", "points of Δ %", "difference of Δ %")
    note = (
        f"After the last round, on the same tasks, paired by task. {BRACKETS} Each of the {len(rows)} rows has a "
        "chance of its own of 1 in 20 to show a difference where there is none; nothing corrects for there being many."
    )
    return Table("differences", "What tutors differ by", head, rows, note=note)


def tabulate_dialogues(summary: RunSummary) -> Table:
    """Length, cognitive load and cost of dialogues."""
    rows = [
        (
            each.tutor, told.sessions, f"{told.rounds:.1f}", told.reached, f"{told.words:.0f}", told.overloaded,
            told.lost, round(told.prompt), round(told.completion), told.unruled,
        )
        for each in summary.tutors
        if (told := each.dialogues) is not None
    ]  # fmt: skip
    head = ("tutor", "sessions", "rounds", "reached", "words", "overloaded", "lost", "read", "written", "unruled")
    note = (
        "rounds: of a session. reached: sessions that ended at the goal. words: of a tutor's turn. overloaded: turns "
        "of more than 60 words, of which students take in the last 60. lost: share of all words that were not. "
        "read, written: tokens of a session, all calls together. unruled: a moderator's rulings that could not be read."
    )
    return Table("dialogues", "Dialogues and cognitive load", head, rows, ("reached", "overloaded", "lost"), note)


def tabulate_tracing(summary: RunSummary) -> Table | None:
    """How right tutors' beliefs were; None where no tutor had any, or nobody knows what students know."""
    rows = [
        (each.tutor, found.pairs, found.loss, found.always, _write_fine(found.better), _judge_tracing(found.better),
         found.brier)
        for each in summary.tutors
        if (found := each.tracing) is not None
    ]  # fmt: skip
    if not rows:
        return None
    head = ("tutor", "pairs", "loss", "loss of the share", "better by", "told", "Brier")
    note = (
        "The tutor's beliefs when it spoke against what the student then knew, for each component and turn. loss: mean "
        "−ln of the probability given to the truth, in nats; loss of the share: of who always says how many components "
        f"are known on average. {BRACKETS}"
    )
    return Table("tracing", "How right the tracing was", head, rows, note=note)


def write_estimate(found: Estimate) -> str:
    """The value, and its interval in a line below."""
    if found.value is None or found.interval is None:
        return "–" if found.value is None else f"{found.value:.1f}"
    return f"{found.value:.1f}\n[{found.interval.low:.1f}, {found.interval.high:.1f}]"


def tell_direction(difference: Estimate) -> str:
    """Whether an interval leaves a difference, and to which side."""
    return "no interval" if difference.interval is None else _TOLD[difference.direction]


def _write_fine(found: Estimate) -> str:
    if found.value is None or found.interval is None:
        return "–" if found.value is None else f"{found.value:.3f}"
    return f"{found.value:.3f}\n[{found.interval.low:.3f}, {found.interval.high:.3f}]"


def _judge_tracing(better: Estimate) -> str:
    if better.interval is None:
        return "no interval"
    told = {1: "better than the share", -1: "worse than the share", 0: "no better shown: the interval contains 0"}
    return told[better.direction]
