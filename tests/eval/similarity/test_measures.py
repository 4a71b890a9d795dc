"""The statistics, each against a computation that is not ours, and against what must hold of them."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import entropy as scipy_entropy
from scipy.stats import f as fisher
from sklearn.metrics.pairwise import cosine_similarity

from eval.similarity.measures import (
    compare_centres,
    measure_divergence,
    measure_diversity,
    measure_entropy,
    project,
)
from scribe.plumbing.errors import UsageError

SOURCE = np.random.default_rng(3)


@pytest.mark.parametrize(
    ("text", "counts"),
    [("why why not", [2, 1]), ("Is it 3? it is", [2, 2, 1, 1]), ("a", [1]), ("one two three four", [1] * 4)],
)
def test_entropy_is_that_of_the_shares_of_words(text: str, counts: list[int]) -> None:
    assert measure_entropy(text) == pytest.approx(scipy_entropy(counts, base=2))


def test_nothing_said_tells_nothing() -> None:
    assert measure_entropy("") == 0.0 and math.copysign(1, measure_entropy("")) == 1


def test_the_same_sample_diverges_by_nothing_and_one_far_away_wholly() -> None:
    values = SOURCE.normal(size=80)
    assert measure_divergence(values, values).value == pytest.approx(0.0)
    assert measure_divergence(values, values + 100).value == pytest.approx(1.0)


def test_chance_alone_makes_small_samples_diverge_and_large_ones_hardly() -> None:
    small = measure_divergence(SOURCE.normal(size=10), SOURCE.normal(size=10), resamples=200)
    large = measure_divergence(SOURCE.normal(size=3000), SOURCE.normal(size=3000), resamples=50)
    assert small.chance > 0.1 > 0.01 > large.chance
    assert large.value < 0.02 and large.deviation < small.deviation


def test_a_real_difference_stands_out_from_chance() -> None:
    found = measure_divergence(SOURCE.normal(size=200), SOURCE.normal(1.5, size=200), resamples=100)
    assert found.value > 3 * found.chance and found.value > 5 * found.deviation


def test_the_mean_cosine_is_that_of_all_pairs() -> None:
    rows = SOURCE.normal(size=(15, 7))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    pairs = cosine_similarity(rows)[np.triu_indices(15, 1)]
    assert measure_diversity(rows).cosine == pytest.approx(pairs.mean())


def test_the_deviation_of_the_mean_cosine_is_that_of_plain_resampling() -> None:
    rows = SOURCE.normal(1.0, 1.0, size=(12, 5))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cosines, source, means = rows @ rows.T, np.random.default_rng(1), []
    for _ in range(2000):
        drawn = source.integers(12, size=12)
        pairs = [cosines[a, b] for a, b in itertools.combinations(drawn, 2) if a != b]
        means.append(float(np.mean(pairs)))
    assert measure_diversity(rows, resamples=2000).deviation == pytest.approx(float(np.std(means)), rel=0.1)


@pytest.mark.parametrize("sizes", [(20, 30, 2), (8, 40, 3), (15, 15, 4)])
def test_hotelling_is_as_the_textbook_writes_it(sizes: tuple[int, int, int]) -> None:
    n, m, p = sizes
    one, other = SOURCE.normal(size=(n, p)), SOURCE.normal(0.4, 1.0, size=(m, p))
    pooled = ((n - 1) * np.cov(one.T) + (m - 1) * np.cov(other.T)) / (n + m - 2)
    apart = one.mean(0) - other.mean(0)
    t2 = n * m / (n + m) * apart @ np.linalg.inv(pooled) @ apart
    ratio = (n + m - p - 1) / (p * (n + m - 2)) * t2
    found = compare_centres(one, other, shuffles=20)
    assert (found.t2, found.f, found.p) == pytest.approx((t2, ratio, fisher.sf(ratio, p, n + m - p - 1)))
    assert found.degrees == (p, n + m - p - 1)


@pytest.mark.parametrize(("t2", "f"), [(2.99, 1.49), (484.62, 241.28), (440.34, 219.04)])
def test_published_pairs_of_t2_and_f_fit_our_formula(t2: float, f: float) -> None:
    # F / T² = (N + M − 3) / (2 (N + M − 2)) in the plane, of which the paper's samples of 76 and more leave this range.
    samples = [compare_centres(SOURCE.normal(size=(76, 2)), SOURCE.normal(size=(m, 2)), shuffles=1) for m in (76, 200)]
    low, high = (each.f / each.t2 for each in samples)
    assert low * 0.995 <= f / t2 <= high * 1.005


def test_shuffling_agrees_with_f_where_fs_assumptions_hold() -> None:
    one, other = SOURCE.normal(size=(40, 2)), SOURCE.normal(0.35, 1.0, size=(40, 2))
    found = compare_centres(one, other, shuffles=1000)
    assert found.shuffled_p == pytest.approx(found.p, abs=0.04)


@pytest.mark.parametrize("points", [np.zeros((5, 2)), np.ones((1, 2)), np.outer(np.arange(5.0), [1.0, 2.0])])
def test_points_that_say_nothing_are_refused(points: np.ndarray) -> None:
    with pytest.raises(UsageError):
        compare_centres(points, points + 1)


def test_principal_components_keep_distances_of_points_that_lie_in_a_plane() -> None:
    flat = SOURCE.normal(size=(20, 2)) @ np.linalg.qr(SOURCE.normal(size=(9, 9)))[0][:2]
    laid = project(flat)["principal components"]
    assert np.linalg.norm(laid[0] - laid[1]) == pytest.approx(float(np.linalg.norm(flat[0] - flat[1])))


def test_the_plane_is_the_same_each_time_and_keeps_what_is_far_apart_far_apart() -> None:
    groups = np.concatenate([SOURCE.normal(size=(15, 8)), SOURCE.normal(20, 1, size=(15, 8))])
    one, again = project(groups, 1)["t-SNE"], project(groups, 1)["t-SNE"]
    assert one.shape == (30, 2) and np.allclose(one, again)
    assert compare_centres(one[:15], one[15:], shuffles=20).p < 1e-6
