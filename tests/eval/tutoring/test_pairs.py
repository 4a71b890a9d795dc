"""Pairs for people: drawn blind and balanced, kept whole, counted with Fleiss' kappa and intervals."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.inter_rater import fleiss_kappa

from eval.agreement.marking import Marking, MarksFile
from eval.tutoring.pairs.counting import count_pairs, measure_fleiss, tabulate_agreement, tabulate_shares
from eval.tutoring.pairs.drawing import draw_keys, make_pair, read_dialogues_of, write_pairs
from eval.tutoring.pairs.pair import (
    LABELS,
    Choice,
    DialoguePair,
    PairKey,
    PairLabel,
    PairTurn,
    load_criteria,
    read_keys,
    read_pairs,
)
from eval.tutoring.protocol.record import SESSION, MeasuredSession, SessionKey
from eval.tutoring.students.student import LEVELS
from scribe.plumbing.errors import UsageError
from scribe.tutor.session import TutorTurn
from tests.eval.tutoring.scripted import record

TASKS = [f"task{number}" for number in range(12)]
TEXTS = {task: (f"Title of {task}", "What to write.") for task in TASKS}


def sessions(*tutors: str) -> dict[SessionKey, MeasuredSession]:
    found = {}
    for tutor in tutors:
        for task in TASKS:
            for level in LEVELS:
                session = record(tutor, task, level, (1, 5, 5))
                said = tuple(replace(each, tutor=TutorTurn(f"{len(tutor)} words")) for each in session.rounds)
                found[session.key] = replace(session, rounds=said)
    return found


def drawn(folder: Path, *tutors: str, tasks: int = 10) -> list[PairKey]:
    there = sessions(*tutors)
    keys = draw_keys(there, tutors, tasks)
    write_pairs(folder, keys, [make_pair(key, there, TEXTS) for key in keys])
    return keys


def say(folder: Path, person: str, choose: dict[str, Choice], criterion: str = "coherence") -> None:
    file = MarksFile(folder / LABELS, person, PairLabel)
    for pair in read_pairs(folder):
        if pair.name in choose:
            file.add((pair.name, pair.of, criterion), choose[pair.name])


def test_ten_tasks_at_three_levels_are_thirty_pairs_of_two_tutors_and_each_is_one_in_half_of_them() -> None:
    keys = draw_keys(sessions("a", "b", "c"), ("a", "b", "c"), 10)
    assert len(keys) == 60
    assert len({key.task for key in keys}) == 10
    beside_b = [key for key in keys if {key.one, key.other} == {"a", "b"}]
    assert Counter(key.one for key in beside_b) == {"a": 15, "b": 15}
    assert Counter(key.level for key in beside_b if key.one == "a") == Counter(dict.fromkeys(LEVELS, 5))
    assert not [key for key in keys if {key.one, key.other} == {"b", "c"}]


def test_every_person_sees_each_tutor_on_the_left_in_half_of_the_pairs_and_people_differ(tmp_path: Path) -> None:
    keys = {key.name: key for key in drawn(tmp_path, "a", "b")}
    turned = set()
    for person in ("ana", "ben", "cem", "dora", "eli", "fay"):
        left = Counter(
            keys[pair.name].other if pair.is_swapped(person) else keys[pair.name].one for pair in read_pairs(tmp_path)
        )
        assert left == {"a": 15, "b": 15}
        turned.add(tuple(pair.is_swapped(person) for pair in read_pairs(tmp_path)))
    assert len(turned) == 6


def test_what_people_are_shown_tells_no_tutor_nor_do_the_names_of_files(tmp_path: Path) -> None:
    drawn(tmp_path, "traver", "vanilla")
    shown = (tmp_path / "pairs.jsonl").read_text(encoding="utf-8")
    assert "traver" not in shown
    assert "vanilla" not in shown
    say(tmp_path, "ana", {read_pairs(tmp_path)[0].name: "one"})
    names = [path.name for path in tmp_path.rglob("*") if not path.name.startswith(".")]
    assert sorted(name for name in names if not name.endswith(".lock")) == sorted(
        ["ana.jsonl", "key.jsonl", "labels", "pairs.jsonl"]
    )
    label = json.loads((tmp_path / LABELS / "ana.jsonl").read_text(encoding="utf-8"))
    assert "traver" not in str(label)


def test_tutors_without_a_task_in_common_are_refused_with_those_that_are_there() -> None:
    with pytest.raises(UsageError, match=r"those of a, b"):
        draw_keys(sessions("a", "b"), ("a", "c"), 10)
    with pytest.raises(UsageError, match="two or more"):
        draw_keys(sessions("a"), ("a",), 10)


def test_pairs_that_are_labelled_are_not_replaced_by_others(tmp_path: Path) -> None:
    drawn(tmp_path, "a", "b")
    drawn(tmp_path, "a", "b", tasks=5)  # nobody has labelled yet
    say(tmp_path, "ana", {read_pairs(tmp_path)[0].name: "tie"})
    drawn(tmp_path, "a", "b", tasks=5)
    with pytest.raises(UsageError, match="labels of other pairs"):
        drawn(tmp_path, "a", "b", tasks=6)


def test_a_run_is_read_and_what_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="scribe dict"):
        read_dialogues_of(tmp_path)
    lines = [json.dumps(SESSION.dump_python(each, mode="json")) for each in sessions("a").values()]
    (tmp_path / "sessions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert len(read_dialogues_of(tmp_path)) == len(TASKS) * len(LEVELS)


def test_a_person_goes_on_where_they_were_by_all_three_criteria(tmp_path: Path) -> None:
    drawn(tmp_path, "a", "b", tasks=2)

    def begin() -> Marking[DialoguePair, object, Choice]:  # type: ignore[type-var]
        return Marking(read_pairs(tmp_path), load_criteria(), MarksFile(tmp_path / LABELS, "ana", PairLabel))

    asked = begin().label(0, "tie")
    assert asked is not None
    assert (asked.number, begin().next()) == (1, asked)
    assert (begin().done, begin().count) == (1, 18)
    assert begin().at(0).given == "tie"


def test_shares_are_of_the_tutor_whichever_dialogue_it_was(tmp_path: Path) -> None:
    keys = drawn(tmp_path, "a", "b")
    always_a: dict[str, Choice] = {key.name: "one" if key.one == "a" else "other" for key in keys}
    say(tmp_path, "ana", always_a)
    say(tmp_path, "ben", {**always_a, keys[0].name: "tie"})
    (share,) = count_pairs(tmp_path, ("coherence",), "a").shares
    assert (share.tutor, share.other, share.labels) == ("a", "b", 60)
    assert share.won.value == pytest.approx(100 * 59 / 60)
    assert share.equal.value == pytest.approx(100 / 60)
    assert share.lead.direction == 1
    assert "better" in tabulate_shares(count_pairs(tmp_path, ("coherence",), "a")).markdown()
    (turned,) = count_pairs(tmp_path, ("coherence",), "b").shares
    assert turned.lost.value == share.won.value


def test_kappa_is_fleiss(tmp_path: Path) -> None:
    keys = drawn(tmp_path, "a", "b")
    chance = np.random.default_rng(3)
    choices: tuple[Choice, ...] = ("one", "other", "tie")
    table = np.zeros((len(keys), 3))
    for person in ("ana", "ben", "cem"):
        said = {key.name: choices[(at + (chance.random() < 0.4)) % 3] for at, key in enumerate(keys)}
        say(tmp_path, person, said)
        for at, key in enumerate(keys):
            table[at, choices.index(said[key.name])] += 1
    (found,) = count_pairs(tmp_path, ("coherence",)).agreement
    assert (found.pairs, found.people) == (30, 3)
    assert found.kappa.value == pytest.approx(fleiss_kappa(table))
    assert found.kappa.interval is not None
    assert found.kappa.interval.low < float(fleiss_kappa(table)) < found.kappa.interval.high


def test_kappa_of_two_pairs_is_as_counted_by_hand() -> None:
    """Counts (3, 0, 0) and (1, 2, 0): agreement 1 and 1/3, chance (4/6)² + (2/6)² = 5/9; (2/3 − 5/9) / (4/9) = 1/4."""
    keys = {name: PairKey(name, "k", "a", "b", name, "low", 0) for name in ("p", "q")}
    said: list[tuple[str, Choice]] = [("p", "one")] * 3 + [("q", "one"), ("q", "other"), ("q", "other")]
    labels = [PairLabel(f"{at % 3}", name, "coherence", choice, "x") for at, (name, choice) in enumerate(said)]
    assert measure_fleiss("coherence", labels, keys).kappa.value == pytest.approx(0.25)


def test_where_all_say_the_same_there_is_no_kappa_and_one_person_has_none(tmp_path: Path) -> None:
    keys = drawn(tmp_path, "a", "b")
    say(tmp_path, "ana", {key.name: "tie" for key in keys})
    assert count_pairs(tmp_path, ("coherence",)).agreement[0].pairs == 0
    say(tmp_path, "ben", {key.name: "tie" for key in keys})
    count = count_pairs(tmp_path, ("coherence",))
    assert count.agreement[0].kappa.value is None
    assert "–" in tabulate_agreement(count).markdown()


def test_the_later_label_stands_and_one_of_another_text_counts_for_nothing(tmp_path: Path) -> None:
    keys = drawn(tmp_path, "a", "b")
    say(tmp_path, "ana", {keys[0].name: "one"})
    say(tmp_path, "ana", {keys[0].name: "tie"})
    MarksFile(tmp_path / LABELS, "ana", PairLabel).add((keys[1].name, "of another text", "coherence"), "one")
    count = count_pairs(tmp_path, ("coherence",))
    assert (count.stale, count.people) == (1, {"ana": 1})
    assert [share.equal.value for share in count.shares] == [100.0]
    assert read_keys(tmp_path)[keys[0].name] == keys[0]


def test_who_always_chooses_the_left_is_seen(tmp_path: Path) -> None:
    drawn(tmp_path, "a", "b")
    for person in ("ana", "ben", "cem"):
        say(tmp_path, person, {p.name: "other" if p.is_swapped(person) else "one" for p in read_pairs(tmp_path)})
    left = count_pairs(tmp_path, ("coherence",)).left
    assert (left.yes, left.of) == (90, 90)


def test_a_turn_that_differs_makes_another_text() -> None:
    pair = DialoguePair("n", "k", "t", "d", (PairTurn("tutor", "a"),), (PairTurn("tutor", "b"),))
    assert pair.of != replace(pair, one=(PairTurn("tutor", "c"),)).of
