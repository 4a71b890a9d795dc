from editor.edits import Insert
from editor.writing import Editor


def begin(*texts):
    """An editor in which these texts were typed one after another."""
    editor = Editor()
    for text in texts:
        editor.run(Insert(len(editor.text), text))
    return editor


def fail_after(editor, *texts, error=KeyError):
    """What comes out of a group in which these texts are typed and which then fails."""
    begun, raised = False, None
    try:
        with editor.group():
            begun = True
            for text in texts:
                editor.run(Insert(len(editor.text), text))
            raise error("stop")
    except Exception as exception:
        raised = exception
    assert begun, "the block was not run"
    return raised


def test_a_group_is_undone_in_one_step():
    editor = begin("one ")
    with editor.group():
        editor.run(Insert(4, "two "))
        editor.run(Insert(0, "zero "))
    assert editor.text == "zero one two "
    editor.undo()
    assert editor.text == "one "


def test_a_group_is_redone_in_one_step():
    editor = begin("one ")
    with editor.group():
        editor.run(Insert(4, "two "))
        editor.run(Insert(8, "three"))
    editor.undo()
    editor.redo()
    assert editor.text == "one two three"
    assert len(editor.done) == 2


def test_edits_before_the_group_are_undone_one_by_one():
    editor = begin("a", "b")
    with editor.group():
        editor.run(Insert(2, "c"))
        editor.run(Insert(3, "d"))
    texts = []
    for _ in range(3):
        editor.undo()
        texts.append(editor.text)
    assert texts == ["ab", "a", ""]
    assert editor.done == []


def test_the_block_is_handed_the_editor_itself():
    editor = begin("a")
    with editor.group() as same:
        assert same is editor


def test_a_group_without_edits_adds_nothing():
    editor = begin("a")
    with editor.group():
        pass
    assert editor.done == [Insert(0, "a")]


def test_a_group_can_contain_a_group():
    editor = begin("a")
    with editor.group():
        editor.run(Insert(1, "b"))
        with editor.group():
            editor.run(Insert(2, "c"))
            editor.run(Insert(3, "d"))
    assert len(editor.done) == 2
    editor.undo()
    assert editor.text == "a"


def test_a_group_that_fails_is_taken_back():
    editor = begin("a", "b")
    fail_after(editor, "c", "d", "e")
    assert editor.text == "ab"
    assert editor.done == [Insert(0, "a"), Insert(1, "b")]


def test_a_group_that_fails_cannot_be_redone():
    editor = begin("a")
    fail_after(editor, "b")
    assert editor.undone == []


def test_the_exception_goes_on_to_the_caller_as_it_was():
    assert type(fail_after(begin("a"), "b")) is KeyError
    assert type(fail_after(begin("a"), error=ZeroDivisionError)) is ZeroDivisionError
