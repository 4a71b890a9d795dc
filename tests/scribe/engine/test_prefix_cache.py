"""The tree of what was read: what is found again, by whom, and what goes when there is too much."""

import random
from functools import partial

import numpy as np
import pytest

from scribe.engine.prefix_cache import DEEPEST, PrefixCache
from scribe.engine.token_sequence import TokenSequence
from scribe.gguf.kv_state import KvState
from tests.scribe.engine.scripted import ids_of, state_of

PLENTY = 10**9


def path(text: str, public: int = 0, owner: str = "anna", ends: tuple[int, ...] = ()) -> TokenSequence:
    """A token for each letter."""
    return TokenSequence(np.array([ord(letter) for letter in text], np.int32), public, ends, owner)


def kept(tree: PrefixCache, *paths: TokenSequence) -> PrefixCache:
    for each in paths:
        tree.insert(each, partial(state_of, each.ids.tolist()))
    return tree


def found(tree: PrefixCache, asked: TokenSequence) -> str:
    """The tokens whose states are found, which must be those that are asked for."""
    states = tree.find(asked).states()
    text = "".join(chr(token) for state in states for token in ids_of(state))
    assert "".join(map(chr, asked.ids)).startswith(text)
    return text


def untouched() -> KvState:
    raise AssertionError("nothing is missing, so no state is needed")


def test_what_was_kept_is_found_as_far_as_it_is_the_same() -> None:
    tree = kept(PrefixCache(PLENTY), path("rules report question", ends=(12,)))
    assert found(tree, path("rules report question, more")) == "rules report question"
    assert found(tree, path("rules report quick")) == "rules report qu"
    assert found(tree, path("rulings")) == "rul"
    assert found(tree, path("else")) == ""


def test_two_paths_share_what_they_begin_with() -> None:
    tree = kept(PrefixCache(PLENTY), path("abcdef"), path("abcxyz"), path("abcxyw"), path("ab"))
    assert {"".join(map(chr, node.ids)) for node in tree.nodes()} == {"ab", "c", "def", "xy", "z", "w"}
    assert tree.bytes == sum(node.state.nbytes for node in tree.nodes()) == 8 * len("abcdefxyzw")
    assert len(list(tree.nodes())) == 6
    assert [found(tree, path(text)) for text in ("abcdefg", "abcxyz", "abd")] == ["abcdef", "abcxyz", "ab"]


def test_what_is_kept_already_is_not_asked_for_again() -> None:
    tree = kept(PrefixCache(PLENTY), path("abcdef"))
    tree.insert(path("abcdef"), untouched)
    tree.insert(path("abc"), untouched)


def test_nobodys_text_is_for_everyone_and_a_students_only_for_that_student() -> None:
    tree = kept(PrefixCache(PLENTY), path("rules|annas report", public=6))
    assert found(tree, path("rules|annas report", public=6)) == "rules|annas report"
    assert found(tree, path("rules|annas report", public=6, owner="ben")) == "rules|"
    assert found(tree, path("rules|annas report", public=6, owner="")) == "rules|"


def test_a_student_with_the_same_report_gets_a_copy_of_their_own() -> None:
    tree = kept(PrefixCache(PLENTY), path("rules|twins", 6), path("rules|twins", 6, "ben"))
    owners = sorted((node.owner or "", "".join(map(chr, node.ids))) for node in tree.nodes())
    assert owners == [("", "rules|"), ("anna", "twins"), ("ben", "twins")]


def test_of_an_unknown_owner_only_nobodys_text_is_kept() -> None:
    tree = kept(PrefixCache(PLENTY), path("rules|secret", public=6, owner=""))
    assert ["".join(map(chr, node.ids)) for node in tree.nodes()] == ["rules|"]


def test_what_one_calls_public_and_another_private_stays_private() -> None:
    tree = kept(PrefixCache(PLENTY), path("rules|anna", 6), path("rules|an", 8, "ben"))
    assert found(tree, path("rules|anna", 10, "carl")) == "rules|an"
    assert found(tree, path("rules|anna", 6, "anna")) == "rules|anna"


def test_the_leaf_that_was_of_no_use_for_longest_goes_first() -> None:
    tree = kept(PrefixCache(8 * 10), path("rules|", 6), path("rules|aa", 6), path("rules|bb", 6))
    tree.mark_used(tree.find(path("rules|aa", 6)))
    kept(tree, path("rules|cc", 6))
    assert [found(tree, path(f"rules|{two}", 6))[6:] for two in ("aa", "bb", "cc")] == ["aa", "", "cc"]
    assert (tree.evicted, tree.bytes) == (1, 8 * 10)


def test_what_is_larger_than_all_there_is_leaves_nothing_behind() -> None:
    tree = kept(PrefixCache(8 * 3), path("abcdef"))
    assert (list(tree.nodes()), tree.bytes) == ([], 0)


@pytest.mark.parametrize("seed", range(20))
def test_any_order_of_keeping_finds_what_a_list_of_all_paths_would(seed: int) -> None:
    rng = random.Random(seed)
    tree, all_of_them = PrefixCache(PLENTY), []
    for _ in range(60):
        public, rest = "".join(rng.choices("ab", k=rng.randint(0, 5))), "".join(rng.choices("ab", k=rng.randint(1, 8)))
        ends = tuple(sorted(rng.sample(range(1, 13), 2)))
        each = path(public + rest, len(public), rng.choice(("anna", "ben", "")), ends)
        if rng.random() < 0.7:
            kept(tree, each)
            all_of_them.append(each)
        best = max((len(_usable(other, each)) for other in all_of_them), default=0)
        assert len(found(tree, each)) == best


def _usable(kept: TokenSequence, asked: TokenSequence) -> str:
    """What of one kept path another may use, written down again from the rule."""
    mine = kept.owner == asked.owner != ""
    upto = len(kept.ids) if mine else kept.public
    text = ""
    for one, other in zip(kept.ids[:upto], asked.ids, strict=False):
        if one != other:
            break
        text += chr(one)
    return text


def test_a_path_that_is_cut_at_ever_new_places_is_kept_only_so_deep() -> None:
    tree = PrefixCache(PLENTY)
    for length in range(1, 3 * DEEPEST):
        kept(tree, path("x" * length + "y"))
    assert len(list(tree.nodes())) <= 2 * DEEPEST
    assert DEEPEST - 2 <= len(found(tree, path("x" * 5 * DEEPEST))) <= DEEPEST
