"""From judgements to shares and tests of differences: what is missing stays missing."""

import pytest

from eval.report.differences import choose_pairs, group_families, leave_out_families, make_test_table
from eval.report.missing import list_missing
from eval.report.runs import LoadedRuns
from eval.report.shares import lay_beside, make_share_table
from eval.report.verdicts import ALL, collect_verdicts, list_criteria, list_judges, make_scopes
from eval.significance import compare_pairs, compare_shares
from tests.eval.report.judging import judged as said
from tests.eval.report.judging import rows, run
from tests.eval.tool_use.rows import answered, failed, unresolved


def test_most_repeats_decide_and_a_tie_decides_nothing() -> None:
    one = run("one", *said("yyn"), *said("ynn", repeat=1), *said("y?y", repeat=2))
    found = collect_verdicts(one, "strong", "relevance")
    assert found.settled == {"a0": True, "a1": None, "a2": False, "a3": None}
    assert (found.share.yes, found.share.of, found.share.missing) == (1, 2, 2)
    assert (found.judged, found.unparsed, found.undecided) == (3, 1, 1)
    assert (found.flips.yes, found.flips.of) == (2, 3)


def test_an_unreadable_verdict_is_no_no() -> None:
    one = run("one", *said("y???"))
    table = make_share_table([one], "strong", [ALL])
    row = dict(zip(table.head, table.rows[0], strict=True))
    assert (row["share"], row["of"], row["missing"], row["unparsed"]) == (1.0, 1, 3, 3)
    assert row["yes of all asked"] == 0.25


def test_the_spread_over_repeats_is_that_of_whole_repeats() -> None:
    found = collect_verdicts(run("one", *said("yyyy"), *said("yynn", repeat=1)), "strong", "relevance")
    assert found.repeats == (1.0, 0.5)
    assert found.deviation == pytest.approx(0.3536, abs=1e-4)


def test_criteria_come_in_the_papers_order_and_a_campus_own_ones_last() -> None:
    names = ("tone", "language", "correctness", "tool_relevance", "actionability", "relevance")
    one = run("one", *(each for name in names for each in said("y", name)))
    assert list_criteria([one], "strong")[0] == "relevance"
    assert list_criteria([one], "strong")[-2:] == ("language", "tone")


def test_the_checks_without_a_model_come_last_and_in_tables_of_their_own() -> None:
    one = run("one", *said("yyyy", judge="local"), *said("nnnn", judge="strong"))
    assert list_judges([one]) == ("strong", "local")
    table = make_share_table([one], "strong", [ALL])
    assert len(table.rows) == 1
    assert table.rows[0][3] == 0
    assert "no judge" in make_share_table([one], "local", [ALL]).title


def test_two_runs_are_tested_as_in_the_paper_and_pairwise_with_correction() -> None:
    ten = rows(10)
    one = run("one", *said("yyyyyyyyyn"), *said("yyyyynnnnn", "language"), answers=ten)
    other = run("other", *said("nnnnnnnynn"), *said("yyyyynnnnn", "language"), answers=ten)
    table = make_test_table(choose_pairs([one, other]), "strong", [ALL])
    row, _ = (dict(zip(table.head, each, strict=True)) for each in table.rows)
    first, second = (collect_verdicts(each, "strong", "relevance") for each in (one, other))
    assert row["Fisher p"] == compare_shares(first.share, second.share).p
    expected = compare_pairs(zip(first.settled.values(), second.settled.values(), strict=True))
    assert (row["pairs"], row["YES only in first"], row["McNemar p"]) == (10, 8, expected.p)
    assert row["McNemar p (Holm)"] == pytest.approx(2 * expected.p)


def test_the_same_id_with_another_question_is_no_pair() -> None:
    one = run("one", *said("yn"), answers=(answered("a0"), answered("a1")))
    other = run("other", *said("ny"), answers=(answered("a0"), answered("a1", question="Something else?")))
    table = make_test_table(choose_pairs([one, other]), "strong", [ALL])
    assert dict(zip(table.head, table.rows[0], strict=True))["pairs"] == 1


def test_runs_without_a_shared_question_are_compared_by_fisher_alone() -> None:
    one = run("one", *said("yn"), answers=rows(2))
    other = run("other", *said("ny"), answers=rows(2, "another"))
    table = make_test_table(choose_pairs([one, other]), "strong", [ALL])
    row = dict(zip(table.head, table.rows[0], strict=True))
    assert (row["pairs"], row["McNemar p"], row["difference"]) == (0, None, None)
    assert row["Fisher p"] == 1.0


def test_courses_unseen_in_training_are_shown_apart() -> None:
    mixed = (*rows(2), answered("a2", course="lnv"), answered("a3", course="lnv"))
    one = run("one", *said("yynn"), answers=mixed)
    found = make_scopes([one], ["lnv"])
    assert [scope.id for scope in found] == ["all", "seen", "unseen"]
    shares = [row[5] for row in make_share_table([one], "strong", found).rows]
    assert shares == [0.5, 1.0, 0.0]
    assert make_scopes([one], ["nowhere"]) == (ALL,)


def test_settings_that_are_no_numbers_are_not_ranked() -> None:
    runs = [run(f"small@{name}", *said("yynn")) for name in ("one stage", "two stages", "three")]
    assert group_families(runs) == {"small": tuple(runs)}


def test_each_gap_is_told_and_alike_ones_of_several_runs_once() -> None:
    answers = (answered("a0"), answered("a1"), unresolved("a2"), failed("a3"))
    one = run("one", *said("y?"), answers=answers)
    other = run("other", *said("y"), answers=answers)
    told = "\n".join(list_missing(LoadedRuns((one, other), 2), False))
    assert "one, other: 1 of 4 questions failed for reasons that are not the model's (BackendError × 1)" in told
    assert "one, other: 1 of 4 questions ended without an answer" in told
    assert "one: judge strong, relevance: 1 judgements could not be read" in told
    assert "other: judge strong, relevance: 1 answers are not judged" in told
    assert "groundedness could not be checked for mini" in told
    assert "No labels by people" in told
    assert "2 judgements were left out" in told


def test_only_the_checks_without_a_model_is_said_aloud() -> None:
    one = run("one", *said("yyyy", judge="local"))
    assert "not the rubrics' judge" in list_missing(LoadedRuns((one,), 0), True)[0]


def test_a_base_model_named_like_the_family_is_no_part_of_the_ablation_and_is_not_lost() -> None:
    runs = [run(name, *said("yynn")) for name in ("small", "small@256", "small@32", "large")]
    assert [each.name for each in group_families(runs)["small"]] == ["small@32", "small@256"]
    assert [each.name for each in leave_out_families(runs)] == ["small", "large"]


def test_a_setting_that_is_not_finite_is_not_ranked() -> None:
    runs = [run(f"small@{name}", *said("yynn")) for name in ("nan", "1", "inf")]
    assert group_families(runs) == {"small": tuple(runs)}


def test_where_one_run_has_no_readable_verdict_nothing_is_tested() -> None:
    one, other = run("one", *said("yyyy")), run("other", *said("????"))
    table = make_test_table(choose_pairs([one, other]), "strong", [ALL])
    row = dict(zip(table.head, table.rows[0], strict=True))
    assert (row["odds ratio"], row["Fisher p"], row["Fisher p (Holm)"], row["McNemar p"]) == (None, None, None, None)


def test_infinite_odds_are_told_from_unknown_ones() -> None:
    one, other = run("one", *said("yyyy")), run("other", *said("nnnn"))
    table = make_test_table(choose_pairs([one, other]), "strong", [ALL])
    assert dict(zip(table.head, table.format_rows()[0], strict=True))["odds ratio"] == "∞"


def test_a_cell_of_the_page_says_share_interval_answers_missing_and_repeats() -> None:
    several = run("several", *said("yyn?"), *said("yynn", repeat=1), *said("yyy?", repeat=2))
    nothing = run("nothing", *said("????"))
    (row,) = lay_beside(make_share_table([several, nothing], "strong", [ALL])).rows
    assert row[2] == "50.0 % (15.0–85.0)\n2 of 4\n3 repeats: 72.2 ± 25.5 %"
    assert row[3] == "–\n0 of 0\n4 missing"


def test_answers_with_fewer_repeats_than_others_are_told() -> None:
    one = run("one", *said("yyyy"), *said("yy", repeat=1))
    told = "\n".join(list_missing(LoadedRuns((one,), 0), True))
    assert "2 answers have fewer than 2 repeats" in told


def test_a_run_that_a_judge_of_the_others_has_not_seen_is_named() -> None:
    told = list_missing(LoadedRuns((run("one", *said("yyyy")), run("other")), 0), True)
    assert any(each.startswith("other: judge strong has not seen this run") for each in told)
