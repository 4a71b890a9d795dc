"""Which judgements are of which run: nothing is given to the wrong one, whatever the files are called."""

import os
import re
from pathlib import Path

import pytest

from eval.judge.judgement import Label, digest_answer
from eval.report.missing import list_missing
from eval.report.page import write_report
from eval.report.report import build_report, compare_with_people
from eval.report.runs import EvaluatedRun, LoadedRuns, ReportRequest, load_runs
from eval.report.shares import make_share_table
from eval.report.verdicts import ALL
from eval.tool_use.answers import Expectation
from scribe.plumbing.errors import UsageError
from tests.app.told import mini_courses
from tests.eval.report.judging import judged, write
from tests.eval.tool_use.rows import act, answered
from tests.eval.tool_use.rows import write as write_answers


def text(id: str) -> str:
    return digest_answer(answered(id).record)


def load(runs: list[str]) -> LoadedRuns:
    return load_runs(ReportRequest(runs))


def verdicts(run: EvaluatedRun) -> list[str]:
    return [each.verdict for each in run.judgements]


def test_a_file_of_several_runs_gives_each_its_own_wherever_it_lies(tmp_path: Path) -> None:
    answers = {name: (answered("a0", says=f"As {name} has it."),) for name in ("base", "tuned")}
    files = [write_answers(tmp_path / f"{name}.jsonl", *rows) for name, rows in answers.items()]
    said = zip(("y", "n"), answers.items(), strict=True)
    both = [each for letter, (name, rows) in said for each in judged(letter, run=name, answers=rows)]
    write(tmp_path / "base.judgements.jsonl", both)
    base, tuned = load([str(file) for file in files]).runs
    assert (verdicts(base), verdicts(tuned)) == (["yes"], ["no"])
    alone = load([str(files[0])])
    assert (verdicts(alone.runs[0]), alone.unmatched) == (["yes"], 1)


def test_the_same_text_of_two_runs_was_judged_for_both(tmp_path: Path) -> None:
    files = [write_answers(tmp_path / f"{name}.jsonl", answered("a0")) for name in ("base", "tuned")]
    write(tmp_path / "base.judgements.jsonl", judged("n", run="base"))
    loaded = load([str(file) for file in files])
    assert ([verdicts(run) for run in loaded.runs], loaded.unmatched) == ([["no"], ["no"]], 0)


def test_judgements_of_answers_that_were_given_anew_are_left_out_and_counted(tmp_path: Path) -> None:
    anew = (answered("a0", says="Watch it again."), answered("a1"), answered("a2", act("textbook_search")))
    path = write_answers(tmp_path / "run.jsonl", *anew)
    file = write(tmp_path / "run.judgements.jsonl", judged("yyy"))
    loaded = load([str(path)])
    (run,) = loaded.runs
    assert [(each.answer, each.verdict) for each in run.judgements] == [("a1", "yes")]
    assert loaded.unmatched == 2
    said = "\n".join(list_missing(loaded, True))
    assert "2 judgements were left out: they are of other answers" in said
    assert "2 answers are not judged" in said
    write(file, [*judged("nnn", answers=anew), *judged("yyy")])
    (run,) = load([str(path)]).runs
    assert sorted(verdicts(run)) == ["no", "no", "yes"]


def test_labels_of_answers_that_were_given_anew_are_beside_no_judge(tmp_path: Path) -> None:
    anew = (answered("a0", says="Watch it again."), answered("a1"))
    path = write_answers(tmp_path / "run.jsonl", *anew)
    write(tmp_path / "run.judgements.jsonl", judged("yy", answers=anew))
    labels = [Label("ada", f"run#a{n}", "relevance", True, text(f"a{n}")) for n in (0, 1)]
    file = write(tmp_path / "ada.jsonl", labels)
    loaded = load([str(path)])
    table, *counts = compare_with_people(loaded.runs, [file])
    assert counts == [0, 1]
    assert table is not None
    assert {row[table.head.index("rated by both")] for row in table.rows} == {1}
    assert "1 labels are of other answers" in "\n".join(list_missing(loaded, True, 0, 1))


def test_people_are_compared_with_the_run_that_they_labelled_though_two_files_are_called_alike(tmp_path: Path) -> None:
    given, labels = [], []
    for folder, letter in (("one", "yyyn"), ("two", "nnny")):
        (tmp_path / folder).mkdir()
        rows = tuple(answered(f"a{number}", says=f"Of {folder}.") for number in range(4))
        path = write_answers(tmp_path / folder / "run.jsonl", *rows)
        write(tmp_path / folder / "run.judgements.jsonl", judged(letter, answers=rows))
        given.append(f"{folder}={path}")
        labels += [
            Label("ada", f"{path.with_suffix('')}#a{number}", "relevance", value == "y", digest_answer(row.record))
            for number, (value, row) in enumerate(zip(letter, rows, strict=True))
        ]
    table, *_ = compare_with_people(load(given).runs, [write(tmp_path / "ada.jsonl", labels)])
    assert table is not None
    row = dict(zip(table.head, table.rows[0], strict=True))
    assert (row["rated by both"], row["agree"], row["kappa"]) == (8, 1.0, 1.0)


def test_a_name_that_no_file_could_hold_is_shown_with_question_marks(tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/r\xffn.jsonl")
    write_answers(Path(odd), answered("a0"))
    write(Path(odd.replace(".jsonl", ".judgements.jsonl")), judged("y", run="r?n"))
    (run,) = load([odd]).runs
    assert (run.name, verdicts(run)) == ("r?n", ["yes"])
    make_share_table([run], "strong", [ALL]).csv().encode()


def test_a_run_without_a_name_is_refused() -> None:
    with pytest.raises(UsageError, match="a run has no name"):
        load(["=x.jsonl"])


def test_labels_that_no_judge_has_a_verdict_beside_are_counted(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    write(tmp_path / "run.judgements.jsonl", judged("y"))
    names = ("run#a0", "run#a1", "other#a0")
    labels = [write(tmp_path / "ada.jsonl", [Label("ada", name, "relevance", True, text("a0")) for name in names])]
    loaded = load([str(path)])
    assert compare_with_people(loaded.runs, labels)[1:] == (2, 0)
    assert "2 labels are of answers" in "\n".join(list_missing(loaded, True, 2))


def test_of_the_shares_with_intervals_the_page_has_the_whole_and_the_file_every_group(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    known = {"a0": Expectation("category-a", language="language-a")}
    found = build_report(ReportRequest([str(path)], expectations=known, courses=mini_courses(tmp_path / "courses")))
    index = write_report(found, tmp_path / "out")
    (shown,) = re.findall(r"<caption>Shares with intervals.*?</table>", index.read_text(encoding="utf-8"))
    kept = (index.parent / "csv" / "targets.csv").read_text(encoding="utf-8")
    assert ("language-a" in shown, "category-a" in shown) == (True, False)
    assert ("language-a" in kept, "category-a" in kept) == (True, True)
