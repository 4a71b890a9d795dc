"""A family tree."""

from family.people import Person, tidy_name


class FamilyTree:
    """Knows people by their tidy names; of some parents no more than the name is known."""

    def __init__(self, people: list[Person]) -> None:
        self._people = {person.name: person for person in people}

    def parents_of(self, name: str) -> list[str]:
        """The known parents of a person, the mother first; nobody if the tree does not know the person."""
        person = self._people.get(name)
        return [] if person is None else [parent for parent in (person.mother, person.father) if parent is not None]

    def ancestors(self, name: str, depth: int) -> dict[str, int]:
        """The generation of each ancestor within `depth` generations (0 or more)."""
        raise NotImplementedError
