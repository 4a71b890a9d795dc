"""Questions from known wordings: categories, styles, French, follow-ups with their answer, two questions in one."""

import re
from dataclasses import replace

import pytest

from data.bundle import find
from data.catalogue import load_catalogue
from data.course import Course
from finetune.questions import INTENTS, Generator
from finetune.questions.before import Before
from finetune.questions.categories import OUTSIDE, categories, category_of
from finetune.questions.generator import filled
from finetune.questions.manner import quotable, said
from finetune.questions.offline import LENGTHS, Mixture, Offline, length_class
from finetune.questions.question import FOLLOWED, Question
from finetune.questions.row import Row
from finetune.questions.source import Wanted
from tools.reading.known_questions import kinds, rule, wordings

USUAL = Mixture()
CALM = Mixture(0, 0, 0, 0, 0, 0, 0, 0, {"short": 1.0})


@pytest.fixture(scope="module")
def geo() -> Course:
    return find("geo")


def drawn(course: Course, mixture: Mixture = USUAL, count: int = 60, held_out: bool = False) -> list[Row]:
    """`count` questions of every category about two students' reports."""
    students = list(course.students)[:2]
    wanted = [Wanted(course, s, "nr", each, count, 1) for s in students for each in categories().values()]
    return [row for each in wanted for row in Offline(mixture, held_out).questions(each)]


def test_every_intent_is_in_one_category() -> None:
    intents = [intent for each in categories().values() for intent in each.intents]
    assert sorted(intents) == sorted(set(INTENTS) - {"follow_up"})


def test_questions_are_of_the_category_that_was_wanted_and_no_two_the_same(dsp: Course) -> None:
    rows = drawn(dsp)
    assert len({row.id for row in rows}) == len(rows) == 2 * len(categories()) * 60
    assert all(category_of(row.intent) == row.category and row.id.split("-")[3] == row.category for row in rows)
    for student in {row.student for row in rows}:
        asked = [(row.category, row.question) for row in rows if row.student == student]
        assert len(set(asked)) == len(asked)


def test_the_same_seed_asks_the_same_and_another_one_something_else(dsp: Course) -> None:
    wanted = Wanted(dsp, "s001", "nr", categories()["where"], 20, 1)
    assert Offline().questions(wanted) == Offline().questions(wanted)
    other = {row.question for row in Offline().questions(replace(wanted, seed=2))}
    assert len(other & {row.question for row in Offline().questions(wanted)}) < 5


def test_what_the_mixture_sets_to_nothing_does_not_happen_and_what_it_sets_to_one_does(dsp: Course) -> None:
    assert {style for row in drawn(dsp, CALM, 20) for style in row.style} <= set(LENGTHS)
    eager = drawn(dsp, replace(CALM, double=1.0, feelings=1.0, slips=1.0, bare=1.0), 20)
    assert all({"bare", "slips"} <= set(row.style) for row in eager)
    askers = [row for row in eager if row.intent != "smalltalk"]
    assert all({"feeling", "two questions"} <= set(row.style) for row in askers)
    assert not any(re.search(r"[?!]($|\s)", row.question) for row in eager)


@pytest.mark.parametrize("name", ["dsp", "geo"])
def test_a_follow_up_carries_the_question_before_and_an_answer_in_the_courses_language(name: str) -> None:
    course = find(name)
    rows = [row for row in drawn(course, replace(CALM, follow_ups=1.0), 30) if "follow-up" in row.style]
    assert len(rows) > 150
    for row in rows:
        assert row.earlier and row.history[0].question == row.earlier.text and row.asked
        assert row.asked.earlier and row.asked.earlier.intent in {one for kind in FOLLOWED.values() for one in kind}
        assert not re.search(r"{(said|week|topics?|what|titles|earned|graded)}", row.history[0].answer)
    own = [re.sub("«.*»", "", row.history[0].answer) for row in rows]
    english = [text for text in own if re.search(r"\b(the|says|is|are|should|has)\b", text)]
    assert not english if name == "geo" else len(english) > 0.8 * len(own)


def test_an_earlier_answer_says_what_the_course_says(dsp: Course) -> None:
    before = Before(dsp, "s001", "nr")
    topics = before.answer(Question("week_topics", "?", {"week": 3}))
    assert topics and all(topic in topics for topic in dsp.week(3).topics)
    topic = dsp.week(6).topics[0]
    assert before.answer(Question("topic_when", "?", {"topic": topic})) == f"{topic} is taught in week 6."
    week = next(each.number for each in dsp.plan if not _needs(dsp, each.number))
    assert "nothing" in (before.answer(Question("prerequisites", "?", {"week": week})) or "")
    assert "Late homework" in (before.answer(Question("syllabus", "?", {"subject": "late"})) or "")
    assert "first" in (before.answer(Question("feature_meaning", "?", {"feature": "problems solved first time"})) or "")
    assert before.answer(Question("feature_meaning", "?", {"feature": "the weather"})) is None


def test_an_earlier_answer_is_in_the_language_of_its_question() -> None:
    geo = find("geo")
    asked = Question("week_topics", "?", {"week": 3})
    told = [Before(geo, next(iter(geo.students)), "nr", language).answer(asked) or "" for language in ("", "en")]
    assert told[0].startswith("La semaine 3") and told[1].startswith("Week 3 is about")


def _needs(course: Course, week: int) -> bool:
    return any(e.topic in course.week(week).topics and course.week_of(e.needs) < week for e in course.prerequisites)


def test_an_earlier_week_is_told_of_in_the_reports_own_words(dsp: Course) -> None:
    told = 0
    for student in list(dsp.students.values())[:20]:
        intent = "week_well" if student.predicted == "pass" else "week_why"
        for week in range(1, dsp.weeks_done + 1):
            answer = Before(dsp, student.id, "nr").answer(Question(intent, "?", {"week": week}))
            if answer:
                told += 1
                quoted = answer.removeprefix("Your report says: ")
                assert f"week {week}" in quoted and quoted[:40] in student.reports["nr"]
    assert told > 10


def test_two_questions_in_one_hold_both_and_one_may_be_out_of_scope(dsp: Course) -> None:
    rows = [row for row in drawn(dsp, replace(CALM, double=1.0, strange=0.5), 40) if row.second]
    assert rows and all(row.second and row.second.text.lower() in row.question.lower() for row in rows)
    strange = {row.category for row in rows if row.second and row.second.intent == "out_of_scope"}
    assert strange == set(categories()) - {OUTSIDE}


def test_long_questions_are_drawn_out_with_the_students_own_report(dsp: Course) -> None:
    rows = [row for row in drawn(dsp, replace(CALM, lengths={"long": 1.0})) if "quote" in row.style]
    assert len(rows) > 200
    for row in rows:
        assert any(clause in row.question for clause in quotable(dsp.student(row.student).reports["nr"]))
    plain = drawn(dsp, CALM)
    assert _mean([len(row.question.split()) for row in rows]) > 2 * _mean([len(row.question.split()) for row in plain])


def _mean(values: list[int]) -> float:
    return sum(values) / len(values)


def test_a_length_class_ends_where_the_next_begins() -> None:
    edges = [(most, most + 1) for _, most in list(LENGTHS.values())[:-1]]
    assert edges == [(9, 10), (24, 25)] and [least for least, _ in list(LENGTHS.values())[1:]] == [10, 25]
    assert [length_class("a " * words) for words in (1, 9, 10, 24, 25, 90)] == [
        "short", "short", "medium", "medium", "long", "long",
    ]  # fmt: skip


def test_only_what_is_measured_is_quoted() -> None:
    report = "- **Cause:** In week 5 you made 0 clicks on weekdays. Another point of week 4: nothing at all there.\n"
    assert quotable(report) == ["In week 5 you made 0 clicks on weekdays"]


def test_what_tells_of_the_class_alone_is_not_quoted() -> None:
    said_so = (
        "you watched 20 percent of the videos, where 60 percent would be typical; the class is usually at 3 sessions"
    )
    assert quotable(f"- **Cause:** {said_so}. A typical student is at 7 of your openings.\n") == [
        "you watched 20 percent of the videos"
    ]


def test_a_question_on_a_weeks_record_is_led_up_to_with_words_on_no_other_week(dsp: Course) -> None:
    rows = [row for row in drawn(dsp, replace(CALM, lengths={"long": 1.0})) if "quote" in row.style]
    weekly = [row for row in rows if row.intent in ("week_why", "week_well")]
    assert weekly
    for row in weekly:
        clauses = [each for each in quotable(dsp.student(row.student).reports["nr"]) if each in row.question]
        assert clauses and set(re.findall(r"week (\d+)", " ".join(clauses))) <= {str(row.slots["week"])}


def test_nothing_said_around_a_question_asks_anything_itself() -> None:
    for language in ("en", "fr"):
        around = [*said(language)["quotes"], *said(language)["lives"], *said(language)["feelings"]]
        assert not [line for line in around if "?" in line or "don't know if" in line or "sais pas si" in line]


@pytest.mark.parametrize(
    ("wording", "name", "shown", "text"),
    [
        ("ça sert à quoi de {behaviour}", "behaviour", "étudier un peu", "ça sert à quoi d'étudier un peu"),
        ("tu crois que {behaviour} suffit ?", "behaviour", "éviter ça", "tu crois qu'éviter ça suffit ?"),
        ("La note de {student} ?", "student", "Anna", "La note d'Anna ?"),
        ("les bases de {topic} svp", "topic", "Cadastre", "les bases de Cadastre svp"),
        ("définition de {feature}", "feature", "average session length", "définition de average session length"),
    ],
)  # fmt: skip
def test_french_is_cut_short_before_a_vowel_but_not_before_what_is_copied(
    wording: str, name: str, shown: str, text: str
) -> None:
    assert filled(wording, name, shown, "fr") == text
    assert filled("more of {topic}", "topic", "Aliasing", "en") == "more of Aliasing"


def test_nobody_says_hello_in_mid_question(dsp: Course) -> None:
    rows = [row for row in drawn(dsp, replace(CALM, double=1.0), 60) if row.second]
    greetings = tuple(said("en")["greetings"])
    assert rows and not [row for row in rows if row.second and row.second.text.startswith(greetings)]


def test_french_courses_are_asked_about_in_french_and_in_english_as_often_as_is_wanted(geo: Course) -> None:
    known, english = (
        {line.split("\t")[-1] for k in (*kinds(), "follow_up") for line in wordings(k, False, language)}
        for language in ("fr", "en")
    )
    assert {row.wording for row in drawn(geo, replace(USUAL, english=0.0))} <= known
    mixed = [row.wording in english for row in drawn(geo, replace(USUAL, english=0.5))]
    assert 0.4 < _mean([int(each) for each in mixed]) < 0.6
    generator = Generator(geo, load_catalogue(), 3)
    assert {each.wording for each in generator.draw(300)} <= known


@pytest.mark.parametrize("name", [*kinds(), "follow_up", "behaviours"])
def test_every_kind_has_french_wordings_on_both_sides_and_the_slots_of_its_english_ones(name: str) -> None:
    training, held = wordings(name, False, "fr"), wordings(name, True, "fr")
    assert len(training) + len(held) >= 20 and held and not set(training) & set(held)
    slots = {slot for line in wordings(name, False) for slot in re.findall(r"{\w+}", line)}
    assert {slot for line in (*training, *held) for slot in re.findall(r"{\w+}", line)} <= slots
    tabbed = name in ("syllabus", "follow_up", "behaviours")
    assert all(("\t" in line) is tabbed for line in (*training, *held))
    heads = {line.split("\t")[0] for line in wordings(name, False) if tabbed}
    assert {line.split("\t")[0] for line in (*training, *held) if tabbed} <= heads


def test_french_rules_have_the_same_subjects() -> None:
    subjects = {line.split("\t")[0] for line in wordings("syllabus", False, "fr")}
    assert len(subjects) == 14 and all(rule(subject, "fr") != rule(subject) for subject in subjects)


def test_both_languages_have_something_of_each_kind_to_say_around_a_question() -> None:
    assert {kind: bool(lines) for kind, lines in said("fr").items()} == dict.fromkeys(said("en"), True)
