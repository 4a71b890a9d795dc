from family.people import Person
from family.tree import FamilyTree

LINE = FamilyTree(
    [
        Person("Ida", mother="Hanna", father="Hugo"),
        Person("Hanna", mother="Greta"),
        Person("Hugo", father="Gustav"),
        Person("Greta", mother="Frida", father="Fritz"),
        Person("Frida", mother="Elsa"),
    ]
)


def test_parents_are_the_first_generation():
    assert LINE.ancestors("Greta", 1) == {"Frida": 1, "Fritz": 1}


def test_grandparents_on_both_sides_are_the_second_generation():
    assert LINE.ancestors("Ida", 2) == {"Hanna": 1, "Hugo": 1, "Greta": 2, "Gustav": 2}


def test_every_generation_counts_one_more():
    assert LINE.ancestors("Hanna", 9) == {"Greta": 1, "Frida": 2, "Fritz": 2, "Elsa": 3}


def test_the_search_ends_at_the_depth_that_is_asked_for():
    assert LINE.ancestors("Ida", 3) == {"Hanna": 1, "Hugo": 1, "Greta": 2, "Gustav": 2, "Frida": 3, "Fritz": 3}


def test_at_depth_zero_there_is_nobody():
    assert LINE.ancestors("Ida", 0) == {}


def test_one_known_parent_is_enough():
    assert LINE.ancestors("Hugo", 5) == {"Gustav": 1}


def test_a_person_of_whom_the_tree_knows_nothing_has_no_ancestors():
    assert LINE.ancestors("Zora", 5) == {}
    assert LINE.ancestors("Elsa", 5) == {}


def test_the_name_that_is_asked_for_may_be_written_otherwise():
    tree = FamilyTree([Person("Ada King", mother="Anna Byron")])
    assert tree.ancestors(" ada   KING", 2) == {"Anna Byron": 1}


def test_an_ancestor_on_two_lines_has_the_smaller_generation():
    near_mother = FamilyTree(
        [Person("Ida", mother="Hanna", father="Hugo"), Person("Hanna", mother="Greta"),
         Person("Hugo", father="Gustav"), Person("Gustav", mother="Greta")]
    )
    assert near_mother.ancestors("Ida", 5)["Greta"] == 2


def test_it_does_not_matter_which_of_the_lines_is_the_shorter_one():
    near_father = FamilyTree(
        [Person("Ida", mother="Hanna", father="Hugo"), Person("Hugo", mother="Greta"),
         Person("Hanna", father="Gustav"), Person("Gustav", mother="Greta")]
    )
    assert near_father.ancestors("Ida", 5)["Greta"] == 2
