import torch

from data.contrast.baselines import at_random, greedy
from data.contrast.descent import cheapest
from data.contrast.explain import explain, searching
from data.contrast.measure import Case, Way, compared
from data.contrast.search import Search
from data.contrast.seen import Range
from tests.data.contrast.lines import WEIGHT, a_class, a_line

OWN = a_class(60)
MODEL = a_line(OWN, WEIGHT)


def search() -> Search:
    return searching(MODEL, OWN, Range.of(OWN))


def test_greedy_takes_the_cell_with_the_largest_effect_first() -> None:
    some = search()
    change, _ = greedy(MODEL, some, most=1)
    effect = torch.tensor(WEIGHT).float() * some.toward[:, None, None]
    largest = torch.maximum(effect * some.high, effect * some.low).flatten(1).amax(dim=1)
    torch.testing.assert_close((effect * change).flatten(1).sum(dim=1), largest)
    assert (change != 0).flatten(1).sum(dim=1).max() == 1


def test_both_reach_the_margin_where_they_say_so_and_stay_in_bounds() -> None:
    some = search()
    for change, found in (greedy(MODEL, some, 12), at_random(MODEL, some, 12)):
        assert found.any()
        assert some.reached(MODEL, change)[found].all()
        assert (change >= some.low).all() and (change <= some.high).all()
        assert (change[some.missing > 0] == 0).all()


def test_at_random_needs_more_cells_than_greedy() -> None:
    some = search()
    (direct, both), (chance, also) = greedy(MODEL, some, 12), at_random(MODEL, some, 12)
    both = both & also
    count = [(each[both] != 0).flatten(1).sum(dim=1).float().mean() for each in (direct, chance)]
    assert count[0] < count[1]
    assert (direct[both] != chance[both]).any()


def test_the_table_has_a_column_per_way_and_checks_every_flip() -> None:
    case = Case(MODEL, OWN, Range.of(OWN))
    change, found = cheapest(MODEL, search())
    broken = Way("broken", -change, found, (1.0, 2.0))
    table = compared(case, (Way("CEM", change, found, (1.0, 2.0)), broken))
    told = {line[:30].strip(): line[30:].split() for line in table.splitlines()}
    assert told[""] == ["CEM", "broken"]
    assert told["of these, prediction flips"] == ["100.0%", "0.0%"]
    assert len(explain(MODEL, OWN, OWN)) == int(told["students"][0])
