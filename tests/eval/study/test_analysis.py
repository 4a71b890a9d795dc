import math
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.formula.api import ols

from eval.study.analysis import compare_groups, describe_group, examine_ratings, measure_cohens_d
from eval.study.files import read_study_data
from eval.study.summary import make_tables, write_summary
from scribe.plumbing.errors import UsageError
from tests.eval.study.made_up import NAMES, write_study_files


def test_a_known_effect_is_found_as_statsmodels_finds_it(tmp_path: Path) -> None:
    groups = read_study_data(write_study_files(tmp_path)).values("relevance")
    found = examine_ratings(groups)
    data = {"y": np.concatenate(groups), "model": np.repeat(NAMES, 36)}
    fitted = ols("y ~ C(model)", data).fit()
    table = sm.stats.anova_lm(fitted)
    assert found.f == pytest.approx(table["F"].iloc[0])
    assert found.p == pytest.approx(table["PR(>F)"].iloc[0])
    assert found.df == (2, 105)
    assert found.eta2 == pytest.approx(table["sum_sq"].iloc[0] / table["sum_sq"].sum())
    assert found.shapiro == pytest.approx(tuple(stats.shapiro(fitted.resid)))
    assert found.levene == pytest.approx(tuple(stats.levene(*groups)))
    assert found.kruskal == pytest.approx(tuple(stats.kruskal(*groups)))
    assert found.friedman == pytest.approx(tuple(stats.friedmanchisquare(*groups)))
    assert found.p < 0.001 < examine_ratings(read_study_data(tmp_path).values("usefulness")).p


def test_the_p_values_of_the_papers_table_7_follow_from_its_f() -> None:
    printed = [(0.204, 0.816), (0.366, 0.694), (0.619, 0.539), (0.408, 0.665), (0.061, 0.941)]
    assert [round(float(stats.f.sf(f, 2, 321)), 3) for f, _ in printed] == pytest.approx(
        [p for _, p in printed], abs=1e-3
    )


def test_a_pairs_effect_is_cohens_d_with_tukeys_p(tmp_path: Path) -> None:
    groups = read_study_data(write_study_files(tmp_path)).values("relevance")
    found = compare_groups(groups)[0, 2]
    one, other = groups[0], groups[2]
    pooled = math.sqrt((np.var(one, ddof=1) + np.var(other, ddof=1)) / 2)
    assert found.d == pytest.approx((np.mean(one) - np.mean(other)) / pooled)
    assert found.interval.low < found.d < found.interval.high < 0
    assert found.p == pytest.approx(stats.tukey_hsd(*groups).pvalue[0, 2])


def test_the_interval_of_d_holds_the_true_one_95_times_of_100() -> None:
    random = np.random.default_rng(1)
    inside = 0
    for _ in range(200):
        interval = measure_cohens_d(random.normal(0.6, 1, 20).tolist(), random.normal(0, 1, 20).tolist())[1]
        inside += interval.low <= 0.6 <= interval.high
    assert 0.90 <= inside / 200 <= 0.99


def test_the_interval_of_d_is_that_of_the_t_test_at_its_ends() -> None:
    random = np.random.default_rng(3)
    one, other = random.normal(0.5, 1, 15), random.normal(0, 1, 12)
    test = stats.ttest_ind(one, other)
    d, interval = measure_cohens_d(one.tolist(), other.tolist())
    scale = math.sqrt(15 * 12 / 27)
    assert d * scale == pytest.approx(test.statistic)
    assert stats.nct.sf(test.statistic, 25, interval.low * scale) == pytest.approx(0.025)
    assert stats.nct.cdf(test.statistic, 25, interval.high * scale) == pytest.approx(0.025)


def test_ratings_that_all_are_the_same_are_undefined_and_no_crash() -> None:
    found = examine_ratings([[4, 4, 4]] * 3)
    assert math.isnan(found.p)
    assert math.isnan(compare_groups([[4, 4, 4]] * 3)[0, 1].d)
    apart = examine_ratings([[1, 1], [5, 5], [3, 3]])
    assert apart.eta2 == 1.0
    assert describe_group([4]).mean == 4.0


def test_fewer_than_two_participants_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="fewer than two"):
        make_tables(read_study_data(write_study_files(tmp_path, people=1)))
    with pytest.raises(UsageError, match="fewer than two"):
        make_tables(read_study_data(write_study_files(tmp_path, people=0)))


def test_everything_is_written_beside_the_files(tmp_path: Path) -> None:
    text = write_summary(read_study_data(write_study_files(tmp_path)), tmp_path)
    assert "36 finished. Left out, since they have not finished: 2." in text
    for name in ("means", "tests", "assumptions", "pairs", "choices_by_model", "choices_by_conversation", "places"):
        assert (tmp_path / "tables" / f"{name}.csv").read_text()
    shares = (tmp_path / "tables" / "choices_by_model.csv").read_text().splitlines()
    low, high = stats.binomtest(18, 36).proportion_ci(method="wilson")
    assert shares[3].split(",")[:4] == ["large", "18", "36", "0.5"]
    assert [float(end) for end in shares[3].split(",")[4:]] == pytest.approx([low, high])
    assert (tmp_path / "figure5.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "analysis.md").read_text() == text


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("ratings", ",relevance,3", ",relevance,7", r"ratings\.csv:\d+: a rating of '7'"),
        ("ratings", "criterion,rating", "criterion,mark", "has the columns"),
        ("choices", "p0,1,", "p1,1,", "not every participant"),
        ("models", "middle", "medium", "not every participant"),
    ],
)
def test_files_that_were_changed_are_refused_by_name(
    tmp_path: Path, file: str, old: str, new: str, complaint: str
) -> None:
    path = write_study_files(tmp_path) / f"{file}.csv"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(UsageError, match=complaint):
        read_study_data(tmp_path)


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="scribe study export"):
        read_study_data(tmp_path)
