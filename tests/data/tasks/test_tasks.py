"""The tasks that come with Scribe can all be read, and a broken one is told apart by file and line or key."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from data.tasks.format import BrokenTask
from data.tasks.reading import TASKS, find_task, list_tasks, read_task


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TASKS / "loan-desk", tmp_path / "loan-desk"))


def change(file: str, old: str, new: str) -> Callable[[Path], object]:
    def apply(folder: Path) -> None:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    return apply


def remove(file: str) -> Callable[[Path], object]:
    return lambda folder: (folder / file).unlink()


def add(file: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / file).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", list_tasks())
def test_a_task_of_ours_can_be_read(name: str) -> None:
    assert find_task(name).id == name


def test_the_reference_holds_no_marker_and_stands_indented_in_its_class() -> None:
    task = find_task("loan-desk")
    placed = task.place(task.reference)
    assert "# <" not in task.reference
    assert "\n        self._loans[book] = loan\n" in placed["library/desk.py"]
    assert "NotImplementedError" not in placed["library/desk.py"]
    assert placed["library/opening.py"] == task.package["library/opening.py"]


def test_code_is_placed_the_same_however_it_is_indented() -> None:
    task = find_task("loan-desk")
    indented = "".join(f"    {line}" for line in task.reference.splitlines(keepends=True))
    assert task.place(indented) == task.place(task.reference)


def test_chosen_wrong_versions_replace_their_parts_only() -> None:
    task = find_task("loan-desk")
    code = task.compose({"limit": 1, "remember": 2})
    assert "len(held) > LIMIT" in code
    assert "self._loans = {book: loan}" in code
    assert "loan.due < today" in code


@pytest.mark.parametrize(("versions", "error"), [({"nothing": 1}, KeyError), ({"limit": 9}, IndexError)])
def test_there_is_no_version_of_what_the_task_lacks(versions: dict[str, int], error: type[Exception]) -> None:
    with pytest.raises(error):
        find_task("loan-desk").compose(versions)


def test_dependencies_are_near_or_far() -> None:
    task = find_task("loan-desk")
    scopes = {component.name: task.scope(component) for component in task.components}
    assert scopes["loans-of-member"] == "intra_class"
    assert scopes["make-loan"] == "intra_file"
    assert scopes["open-day"] == "cross_file"
    assert scopes["limit"] is None


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (change("task.toml", 'title_fr = "Le', 'titre = "Le'), "task.toml, title_fr: field required"),
        (change("task.toml", 'kind = "step"', 'kind = "steps"'), "task.toml, components 1 kind: "),
        (change("task.toml", "id = ", "id "), "task.toml: is not valid TOML"),
        (change("task.toml", 'id = "loan-desk"', 'id = "desk"'), "task.toml, id: is 'desk', but the folder is"),
        (change("task.toml", "::Desk.lend", "::Desk.borrow"), "library/desk.py, Desk.borrow: no definition"),
        (change("task.toml", "desk.py::Desk.lend", "des.py::Desk.lend"), "task.toml, target: no file library/des.py"),
        (change("task.toml", "Desk.loans_of", "Desk.loans"), "does not define Desk.loans"),
        (change("task.toml", "::Loan", "::DAYS"), "components 7 make-loan: symbol: its part does not use DAYS"),
        (change("task.toml", 'symbol = "library/desk.py::Loan"', ""), "a dependency needs a symbol"),
        (change("solution.py", "# </limit>", ""), "solution.py, line 17: '# <overdue>' stands inside 'limit'"),
        (change("solution.py", "# </remember>", ""), "solution.py, line 27: the region 'remember' is not closed"),
        (change("solution.py", "held = self.loans_of(member)", "held = ("), "solution.py, line "),
        (change("solution.py", "today: date", "day: date"), "solution.py, line 1: its head is"),
        (change("solution.py", "# <limit>", "# <bound>"), "solution.py, line 16: '# </limit>' stands inside 'bound'"),
        (remove("tests.py"), "tests.py: the file is missing"),
        (remove("wrong/limit.1.txt"), "wrong/limit.1.txt: versions are [2]"),
        (add("wrong/limit.3.txt", "    if held\n"), "wrong/limit.3.txt, line "),
        (add("wrong/limits.1.txt", ""), "wrong/limits.1.txt: is not called COMPONENT.NUMBER.txt"),
        (add("wrong/limit.2.py", ""), "wrong/limit.2.py: is not called COMPONENT.NUMBER.txt"),
        (add("wrong/open-day.3.txt", "    due = next_open_day(today + timedelta(days=DAYS))\n"), "is the right part"),
        (add("desk.py", ""), "desk.py: does not belong here"),
        (change("library/desk.py", "raise NotImplementedError", "return None"), "its body ends with 'return None'"),
    ],
)
def test_a_broken_task_says_file_and_place(folder: Path, break_it: Callable[[Path], object], said: str) -> None:
    break_it(folder)
    with pytest.raises(BrokenTask) as error:
        read_task(folder)
    assert said in str(error.value)
