"""What a tutor is told of a task."""

from data.tasks.brief import make_brief
from data.tasks.reading import find_task


def test_a_brief_is_in_the_language_of_the_session() -> None:
    task = find_task("final-grade")
    english, french = make_brief(task), make_brief(task, "French")
    assert (english.language, french.language) == ("English", "French")
    assert french.title == task.title_fr
    assert french.components[0].text == task.components[0].text_fr
    assert french.components[0].cues == task.components[0].explains_fr
    assert english.description == task.description


def test_the_context_begins_with_the_target_s_file_and_holds_no_solution() -> None:
    task = find_task("final-grade")
    brief = make_brief(task)
    assert brief.context.startswith("# gradebook/average.py\n")
    assert "# gradebook/scale.py\n" in brief.context
    assert "__init__" not in brief.context  # it says only what the package is
    assert "raise NotImplementedError" in brief.context
    assert task.part("divide").strip() not in brief.context
    assert brief.stub in brief.context
