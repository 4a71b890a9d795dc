"""Words of a textbook as topics: what stands together, and neither formulas nor what every section says."""

from data.bundle import find
from data.course import Section
from finetune.questions import Generator
from finetune.questions.spans import spans


def section(text: str) -> Section:
    return Section(id="1.1", title="One", week=1, text=text)


def test_words_that_stand_together_and_emphasised_terms() -> None:
    others = tuple(section(f"This course shows {word}.") for word in ("apples", "pears", "plums", "nuts"))
    found = spans((section("This course shows *a leaky filter*, x_1 + 2 and vesting over months."), *others))
    assert {"a leaky filter", "vesting", "months", "apples"} <= set(found)
    assert "component and the" not in "".join(spans((section("The *DC* component and the *AC* part"), *others)))
    assert "accès" in spans((section("Ici l'accès compte."), *others))
    assert "vesting over months" not in found  # longer than two words
    assert not [each for each in found if "course" in each or "_" in each or "filter and" in each]
    assert found == tuple(sorted(found))


def test_questions_on_a_topic_ask_about_them_too() -> None:
    course = find("dsp")
    generator, said = Generator(course, [], 1), set(spans(tuple(course.textbook)))
    asked = {str(generator.one(intent).slots.get("topic", "")) for intent in ("concept", "topic_when") * 200}
    assert len(asked & said - set(course.topics)) > 60
    assert asked & set(course.topics)
