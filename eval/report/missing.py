"""What a reader should know is not there, in whole sentences: nothing that is missing may pass for a result."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from eval.agreement.ratings import find_several_models
from eval.judge.judgement import LOCAL
from eval.report.runs import EvaluatedRun, LoadedRuns
from eval.report.shares import describe_judge, to_words
from eval.report.verdicts import collect_verdicts, list_criteria, list_judges
from eval.tool_use.answers import NO_CATEGORY


def list_missing(loaded: LoadedRuns, labelled: bool, unmatched: int = 0, changed: int = 0) -> tuple[str, ...]:
    """Say one sentence for each gap, the gravest kinds first.

    unmatched: labels of answers that no judge saw by that criterion; changed: those of answers given anew since.
    """
    judges = list_judges(loaded.runs)
    of_runs: dict[str, list[str]] = defaultdict(list)
    for run in loaded.runs:
        for sentence in (*_answers(run), *_verdicts(run, judges)):
            of_runs[sentence].append(run.name)
    found = [f"{', '.join(names)}: {sentence}" for sentence, names in of_runs.items()]
    people = _people(labelled, unmatched, changed)
    return (*_judges(loaded.runs, judges), *_unlike_questions(loaded.runs), *found, *people, *_unmatched(loaded))


def _judges(runs: Sequence[EvaluatedRun], judges: Sequence[str]) -> Iterator[str]:
    if not judges:
        yield "No run has been judged: there are no shares of YES here. `scribe judge ANSWERS` judges."
    elif set(judges) == {LOCAL}:
        yield "There are only the checks without a model. They see form, not sense, and are not the rubrics' judge."
    for judge, models in find_several_models(each for run in runs for each in run.judgements).items():
        listed = ", ".join(f"{model} × {number}" for model, number in sorted(models.items()))
        yield (
            f"Behind {describe_judge(judge)} the address reported several models ({listed}): its verdicts may not "
            "compare."
        )


def _unlike_questions(runs: Sequence[EvaluatedRun]) -> Iterator[str]:
    """Runs that were not asked the same."""
    shared = frozenset.intersection(*(run.questions for run in runs))
    more = [f"{run.name} {len(run.questions)}" for run in runs if len(run.questions) > len(shared)]
    if more:
        yield (
            f"Only {len(shared)} questions were put to all runs; there are more in: {', '.join(more)}. Shares and "
            "Fisher's test hold all that a run was asked, McNemar's test those that both runs of a pair were."
        )


def _answers(run: EvaluatedRun) -> Iterator[str]:
    errors = Counter(row.error.partition(":")[0] or "no reason given" for row in run.answers if row.failed)
    if errors:
        listed = ", ".join(f"{name} × {number}" for name, number in errors.most_common(4))
        yield (
            f"{errors.total()} of {len(run.answers)} questions failed for reasons that are not the model's ({listed})."
        )
    unresolved = sum(row.status == "unresolved" for row in run.answers)
    if unresolved:
        yield f"{unresolved} of {len(run.answers)} questions ended without an answer that holds (unresolved)."
    if all(row.category == NO_CATEGORY for row in run.answers):
        yield "the kinds of questions are not known; --questions FILE gives each question's category."
    unchecked = sorted({row.course for row in run.answers if row.record.answer and row.unsupported is None})
    if unchecked:
        yield f"groundedness could not be checked for {', '.join(unchecked)}: the courses are not here."


def _verdicts(run: EvaluatedRun, judges: Sequence[str]) -> Iterator[str]:
    answered = sum(row.record.answer is not None for row in run.answers)
    for judge in judges:
        if judge not in run.judges:
            yield f"{describe_judge(judge)} has not seen this run; it is in none of that part's figures and tables."
        for criterion in list_criteria((run,), judge):
            found = collect_verdicts(run, judge, criterion)
            gaps = {
                "judgements could not be read": found.unparsed,
                "answers have no majority": found.undecided,
                "answers are not judged": answered - min(found.judged, answered),
                f"answers have fewer than {found.most} repeats": found.short,
            }
            listed = ", ".join(f"{number} {what}" for what, number in gaps.items() if number)
            if listed:
                yield f"{describe_judge(judge)}, {to_words(criterion)}: {listed}. None of these counts as a NO."


def _people(labelled: bool, unmatched: int, changed: int) -> Iterator[str]:
    if unmatched:
        yield f"{unmatched} labels are of answers or criteria that no judge here has a verdict on."
    if changed:
        yield (
            f"{changed} labels are of other answers, which were given under the same ids before; they are beside no "
            "judge. `scribe agree label` asks for those that are missing."
        )
    if not labelled:
        yield (
            "No labels by people were given, so nothing is known of whether the judge can be trusted here. "
            "`scribe agree label ANSWERS` gathers them; then give --labels."
        )


def _unmatched(loaded: LoadedRuns) -> Iterator[str]:
    if loaded.unmatched:
        yield (
            f"{loaded.unmatched} judgements were left out: they are of other answers, of runs that are not here or "
            "given under the same ids before. Judge these files with `scribe judge`, which asks of what is new only."
        )
