"""The student that a language model plays: what it is told, and how its programs are read."""

from data.tasks.brief import make_brief
from data.tasks.reading import find_task
from eval.tutoring.students.language_model import LanguageModelStudent, extract_program
from eval.tutoring.students.student import Level, StudentState
from scribe.tutor.session import StudentTurn, TutoringSession, TutorTurn
from tests.eval.tutoring.scripted import open_task
from tests.scribe.scripted import ScriptedBackend


def final(text: str) -> str:
    return f" Enough. [END_OF_REASONING]\n[FINAL_ANSWER]{text}[END_OF_FINAL_ANSWER]"


def ask(level: Level, state: StudentState | None = None) -> str:
    """The system prompt before a program."""
    task, brief = open_task()
    backend = ScriptedBackend([final("```python\npass\n```")])
    student = LanguageModelStudent(task, level, backend)
    student.attempt(TutoringSession(brief), state or student.begin(), 0)
    return backend.prompts[0][0].content


def test_levels_are_told_more_and_more() -> None:
    task, _ = open_task()
    low, medium, high = ask("low"), ask("medium"), ask("high")
    assert "gradebook/scale.py" not in low
    assert ("gradebook/scale.py::clip" in medium) != ("gradebook/average.py::round_to_quarter" in medium)
    assert "def clip(grade" not in medium
    assert "def clip(grade" in high
    told_all = ask("low", StudentState(informed=True))
    assert all(each.text in told_all for each in task.components)
    assert task.components[0].text not in high


def test_a_student_answers_the_tutor_in_turn() -> None:
    task, brief = open_task()
    backend = ScriptedBackend([final("Hello, what is clip?")])
    session = TutoringSession(brief).then(TutorTurn("Hi.")).then(StudentTurn("Hello.")).then(TutorTurn("Use clip."))
    student = LanguageModelStudent(task, "low", backend)
    turn, state = student.reply(session, student.begin())
    assert turn == StudentTurn("Hello, what is clip?")
    assert state.known is None
    assert [each.role for each in backend.prompts[0]] == ["system", "user", "assistant", "user"]


def test_a_program_is_written_from_what_was_heard_of_each_turn() -> None:
    task, brief = open_task()
    backend = ScriptedBackend([final("```python\npass\n```")])
    session = TutoringSession(brief).then(TutorTurn("unheard " + "la " * 60)).then(StudentTurn("Aha."))
    LanguageModelStudent(task, "low", backend).attempt(session, StudentState(), 0)
    prompt = backend.prompts[0][0].content
    assert "unheard" not in prompt
    assert "Tutor: la la" in prompt
    assert "Student: Aha." in prompt


def test_a_turn_in_no_form_is_drawn_again_and_then_taken_as_it_is() -> None:
    task, brief = open_task()
    backend = ScriptedBackend(["I say hello", "again", "and again"])
    student = LanguageModelStudent(task, "low", backend)
    turn, _ = student.reply(TutoringSession(brief).then(TutorTurn("Hi.")), student.begin())
    assert turn.text == "and again"
    assert len(backend.prompts) == 3


def test_of_an_answer_the_definition_is_taken_however_it_is_wrapped() -> None:
    code = "def f(a):\n    return a\n"
    assert extract_program(f"Here it is:\n```python\n{code}```\nDone.", "f") == code
    assert extract_program(f"```python\n{code}", "f") == code
    assert extract_program(code, "f") == code
    assert extract_program(f"```\nx = 1\n```\n```python\n{code}```", "f") == code
    assert extract_program(f"```python\nimport math\n\n{code}```", "f") == f"import math\n{code}"
    inside = "class A:\n    x = 1\n\n    def f(a):\n        return a\n"
    assert extract_program(f"```python\n{inside}```", "A.f") == code
    assert extract_program("I cannot.", "f") == "I cannot."


def test_a_method_that_is_extracted_can_be_placed() -> None:
    task = find_task("loan-desk")
    answer = f"```python\nclass Desk:\n{''.join(f'    {line}' for line in task.reference.splitlines(keepends=True))}```"
    assert task.place(extract_program(answer, task.target_name)) == task.place(task.reference)
    assert make_brief(task).stub.startswith("def lend(")
