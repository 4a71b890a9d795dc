"""Making one contact book of two."""

from contacts.card import Card
from contacts.phones import plain_number


def numbers_of(card: Card) -> set[str]:
    """A card's phone numbers in the form in which they can be compared."""
    return {plain_number(phone) for phone in card.phones}


def merge_books(mine: list[Card], theirs: list[Card]) -> list[Card]:
    """One card for each person of the two books, in the order of the names."""
    raise NotImplementedError
