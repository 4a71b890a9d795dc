from lostfound.register import Item, Register, RegisterBusy


def open_register():
    register = Register()
    register.items = {1: Item("umbrella", "A"), 2: Item("hat", "B")}
    return register


def test_the_block_gets_the_items_and_may_change_them():
    register = open_register()
    with register.revision("Ada") as items:
        items[3] = Item("bag", "C")
        del items[1]
    assert register.items == {2: Item("hat", "B"), 3: Item("bag", "C")}


def test_new_and_missing_items_are_noted_with_the_clerk():
    register = open_register()
    with register.revision("Ada") as items:
        items[3] = Item("bag", "C")
        del items[1]
    assert register.journal == ["Ada: 1 is gone", "Ada: 3 is new"]


def test_an_item_whose_field_was_changed_is_noted():
    register = open_register()
    with register.revision("Ada") as items:
        items[2].shelf = "D"
    assert register.journal == ["Ada: 2 has changed"]


def test_a_revision_that_changes_nothing_is_not_noted():
    register = open_register()
    with register.revision("Ada"):
        pass
    assert register.journal == []


def test_the_journal_keeps_earlier_changes():
    register = open_register()
    for clerk, number in (("Ada", 1), ("Bob", 2)):
        with register.revision(clerk) as items:
            del items[number]
    assert register.journal == ["Ada: 1 is gone", "Bob: 2 is gone"]


def test_the_register_knows_who_revises_it():
    register = open_register()
    with register.revision("Ada"):
        assert register.clerk == "Ada"
    assert register.clerk is None


def test_no_two_revisions_take_place_at_a_time():
    register = open_register()
    refused = []
    with register.revision("Ada"):
        for clerk in ("Bob", "Ada"):
            try:
                with register.revision(clerk):
                    pass
            except RegisterBusy:
                refused.append(clerk)
    assert refused == ["Bob", "Ada"]


def fail_in_a_revision(register):
    """Change the items and raise; return the exception that arrives here."""
    try:
        with register.revision("Ada") as items:
            items[3] = Item("bag", "C")
            items[2].shelf = "D"
            raise ValueError("no such shelf")
    except ValueError as error:
        return error
    return None


def test_after_an_exception_all_items_are_as_they_were():
    register = open_register()
    fail_in_a_revision(register)
    assert register.items == {1: Item("umbrella", "A"), 2: Item("hat", "B")}


def test_after_an_exception_nothing_is_noted():
    register = open_register()
    assert fail_in_a_revision(register) is not None
    assert register.journal == []


def test_an_exception_goes_on_to_the_caller():
    assert str(fail_in_a_revision(open_register())) == "no such shelf"


def test_after_an_exception_the_register_is_free_again():
    register = open_register()
    fail_in_a_revision(register)
    with register.revision("Bob") as items:
        del items[1]
    assert register.journal == ["Bob: 1 is gone"]
