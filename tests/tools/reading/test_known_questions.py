"""Known wordings: each side of the split is its own, and every kind can say what it asks."""

from tools.reading.known_questions import asks, concerns, kinds, known, rule, wordings


def test_every_known_wording_says_what_it_asks() -> None:
    for held_out in (False, True):
        assert all(one.asks and one.wording for one in known(held_out))


def test_questions_on_a_topic_and_on_a_week_build_on_different_things() -> None:
    needs = [one for one in known(False) if "builds on" in one.asks and not one.leaning]
    weeks = {one.asks for one in needs if "{week}" in one.wording}
    topics = {one.asks for one in needs if "{week}" not in one.wording}
    assert topics == {"what a topic builds on"} and weeks == {"what a week builds on"}


def test_a_rule_is_named_as_one_looks_it_up() -> None:
    assert asks("syllabus", "late") == f"what the rules say on {rule('late')}"
    subjects = {line.split("\t")[0] for line in wordings("syllabus", held_out=False)}
    assert len({rule(subject) for subject in subjects}) == len(subjects) == 14


def test_only_follow_ups_lean_on_a_question_before() -> None:
    alone = [one for one in known(True) if not one.leaning]
    assert len(alone) == sum(len(wordings(kind, held_out=True)) for kind in kinds())
    assert "the same as before" not in {one.asks for one in alone}


def test_a_phrase_of_a_behaviour_is_of_its_dimension_in_any_language() -> None:
    assert concerns("studying twice as much") == "effort" and concerns("étudier un peu chaque jour") == "regularity"
    assert concerns("") == concerns("dancing") == ""
