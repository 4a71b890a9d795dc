"""`scribe tutor`: a session at a terminal, kept and gone on with."""

import io
import json
import shutil
from pathlib import Path

import pytest

from app.cli import main
from app.tutoring.lesson import make_guard
from app.tutoring.wording import load_words, write_progress
from data.tasks.brief import make_brief
from data.tasks.reading import find_task, list_tasks
from scribe.tutor.records import load_session
from scribe.tutor.session import StudentTurn
from scribe.tutor.speaking import list_known
from tests.scribe.scripted import ScriptedBackend
from tests.scribe.tutor.lesson import turn

Out = pytest.CaptureFixture[str]
TASK = "final-grade"
needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap")


class Desk:
    """A person's terminal: what they type, and where their session lies."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self._monkeypatch = folder / "s.json", monkeypatch

    def visit(self, typed: str, *turns: str, flags: tuple[str, ...] = ()) -> ScriptedBackend:
        """One visit: these lines, a model that says these turns."""
        self._monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        backend = ScriptedBackend(turns)
        words = ["tutor", TASK, "--session", str(self.path), *flags]
        assert main(words, lambda settings: backend) == 0
        return backend


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


def test_the_task_is_shown_the_tutor_begins_and_answers(desk: Desk, capsys: Out) -> None:
    desk.visit("An average?\n/quit\n", turn("Hello! What is asked?"), turn("Yes. Of what?"))
    told = capsys.readouterr().out
    task = find_task(TASK)
    assert told.startswith(task.title)
    assert told.index("Hello! What is asked?") < told.index("Yes. Of what?")
    assert "· known: " in told
    assert all(f"{each.name} " in told for each in task.components)


def test_a_session_that_was_left_is_gone_on_with(desk: Desk, capsys: Out) -> None:
    desk.visit("", turn("Hello! What is asked?"))
    backend = desk.visit("A mean.\n", turn("Of which marks?"))
    told = capsys.readouterr().out
    assert told.count("Hello! What is asked?") == 2, "the last turn is shown again, not drawn again"
    assert "What is asked?" in backend.prompts[0][-2].content
    assert [len(turn.text) > 0 for turn in load_session(desk.path).session.turns] == [True] * 3


def test_a_new_session_forgets_the_dialogue_and_keeps_the_file(desk: Desk) -> None:
    desk.visit("", turn("First."))
    desk.path.with_suffix(".py").write_text("def mine():\n    pass\n", encoding="utf-8")
    desk.visit("", turn("Second."), flags=("--new",))
    assert [each.text for each in load_session(desk.path).session.turns] == ["Second."]
    assert "mine" in desk.path.with_suffix(".py").read_text(encoding="utf-8")


def test_in_french_task_tutor_and_terminal_are_french(desk: Desk, capsys: Out) -> None:
    backend = desk.visit("/nothing\n", turn("Bonjour !"), flags=("--language", "fr"))
    told = capsys.readouterr().out
    assert find_task(TASK).title_fr in told
    assert "/nothing n'existe pas" in told
    assert "Speak French." in backend.prompts[0][0].content


def test_both_languages_have_the_same_words() -> None:
    assert load_words("English").keys() == load_words("French").keys()


@needs_bwrap
def test_tests_run_on_the_file_and_the_tutor_hears_of_them(desk: Desk, capsys: Out, tmp_path: Path) -> None:
    task = find_task(TASK)
    mine = tmp_path / "mine.py"
    mine.write_text(task.compose({"weighted-sum": 1}), encoding="utf-8")
    backend = desk.visit(f"/code {mine}\n/test\n\n", turn("Begin."), turn("One fails. Which?"))
    told = capsys.readouterr().out
    assert "  ✓ " in told
    assert "  ✗ " in told
    heard = load_session(desk.path).session.turns[1]
    assert isinstance(heard, StudentTurn)
    assert ": failed (" in heard.results
    assert heard.code == mine.read_text(encoding="utf-8")
    assert heard.results in backend.prompts[1][-1].content


@needs_bwrap
def test_when_all_is_right_it_is_said(desk: Desk, capsys: Out, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(find_task(TASK).reference, encoding="utf-8")
    desk.visit(f"/code {tmp_path / 'mine.py'}\n/test\n", turn("Begin."))
    assert "All tests pass." in capsys.readouterr().out


def test_without_a_sandbox_the_talk_goes_on(
    desk: Desk, capsys: Out, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    desk.visit("/test\nStill here.\n", turn("Begin."), turn("Good."))
    told = capsys.readouterr().out
    assert "apt-get install bubblewrap" in told
    assert "Good." in told


def test_an_editor_opens_the_file_and_without_one_its_place_is_told(
    desk: Desk, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "sed -i s/raise/RAISE/")
    desk.visit("/edit\n", turn("Begin."))
    assert "RAISE NotImplementedError" in desk.path.with_suffix(".py").read_text(encoding="utf-8")
    monkeypatch.setenv("EDITOR", "no-such-editor")
    desk.visit("/edit\n")
    assert "no-such-editor" in capsys.readouterr().out
    monkeypatch.delenv("EDITOR")
    desk.visit("/edit\n/code nowhere.py\n/task\n/help\n")
    told = capsys.readouterr().out
    assert "Set $EDITOR" in told
    assert "There is no file nowhere.py." in told


def test_an_empty_line_says_nothing_when_there_is_nothing_new(desk: Desk) -> None:
    backend = desk.visit("\n\n\n", turn("Begin."))
    assert len(backend.prompts) == 1


def test_code_goes_with_a_message_once(desk: Desk) -> None:
    desk.path.with_suffix(".py").write_text("def mine():\n    return 7\n", encoding="utf-8")
    desk.visit("look\nand now\n", turn("a"), turn("b"), turn("c"))
    codes = [each.code for each in load_session(desk.path).session.turns if isinstance(each, StudentTurn)]
    assert codes == ["def mine():\n    return 7\n", ""]


def test_the_solution_is_not_shown_though_the_model_writes_it(desk: Desk, capsys: Out) -> None:
    part = find_task(TASK).part("weighted-sum").strip()
    desk.visit("", *[turn(f"Think first.\n```python\n{part}\n```")] * 4)
    told = capsys.readouterr().out
    assert "Think first." in told
    assert part not in told


def test_a_tutor_without_words_is_told_and_harms_nothing(desk: Desk, capsys: Out) -> None:
    desk.visit("", *[" [END_OF_REASONING]"] * 4)
    assert "found no words" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tutor", "no-such-task"], "there is no task 'no-such-task'; there are "),
        (["tutor", TASK, "--prompt", "learned"], "leave --prompt out"),
        (["tutor", TASK, "--tracer", "gone.json"], "there is no tracer at gone.json"),
        (["tutor", TASK, "--tutor", "traver", "--verifier", "gone"], "there is no verifier at gone"),
    ],
)
def test_what_is_named_wrongly_is_told(
    words: list[str], said: str, capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path))
    base = ["--verifier-base", str(tmp_path)] if "--verifier" in words else []
    assert main([*words, *base], lambda settings: ScriptedBackend([])) == 2
    assert said in capsys.readouterr().err


def test_a_session_of_another_language_is_not_overwritten(desk: Desk, capsys: Out) -> None:
    desk.visit("", turn("Hello."))
    before = desk.path.read_bytes()
    words = ["tutor", TASK, "--session", str(desk.path), "--language", "fr"]
    assert main(words, lambda settings: ScriptedBackend([])) == 2
    assert "in English" in capsys.readouterr().err
    assert desk.path.read_bytes() == before
    desk.path.write_text(json.dumps([]), encoding="utf-8")
    assert main(words, lambda settings: ScriptedBackend([])) == 2
    assert "not a readable tutoring session" in capsys.readouterr().err


def test_a_bar_grows_with_the_belief() -> None:
    brief = make_brief(find_task(TASK), "English")
    names = [each.name for each in brief.components[:3]]
    told = write_progress(brief, dict(zip(names, (0.0, 0.5, 1.0), strict=True)))
    assert told == f"· known: {names[0]} ▁  {names[1]} ▅  {names[2]} █"


@pytest.mark.parametrize("name", list_tasks())
def test_each_tasks_solution_is_guarded_and_its_explanations_are_not(name: str) -> None:
    from scribe.tutor.session import TutoringSession

    task, guard = find_task(name), make_guard(find_task(name))
    known = list_known(TutoringSession(make_brief(task, "English")))
    assert guard.find_leaks(task.reference, known)
    assert guard.find_leaks(f"Here: {task.reference}", known)
    for component in task.components:
        assert not guard.find_leaks(component.text, known)
        assert not guard.find_leaks(component.text_fr, known)
    told = [each.name for each in task.components if not guard.find_leaks(f"```\n{task.part(each.name)}```", known)]
    # A part of one everyday line (`raise`, `return total`) says nothing by itself.
    assert len(told) * 2 <= len(task.components), f"unguarded: {told}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tutor"], "name a TASK"),
        (["tutor", TASK, "--port", "7999"], "add --page"),
        (["tutor", TASK, "--page", "--new"], "leave --session and --new out"),
        (["tutor", "--page", "--host", "0.0.0.0"], "does not listen on 0.0.0.0"),
    ],
)
def test_page_and_terminal_are_not_mixed(
    words: list[str], said: str, capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path))
    assert main(words, lambda settings: ScriptedBackend([])) == 2
    assert said in capsys.readouterr().err
