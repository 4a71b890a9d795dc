def sort_kings(entries: list[str]) -> list[str]:
    """The entries by name, and for one name by number."""
    keyed = []
    for entry in entries:
        # <last-word>
        name, _, last = entry.rpartition(" ")
        # </last-word>
        # <no-numeral>
        if not is_numeral(last):
            name, last = entry, "I"
        # </no-numeral>
        # <values>
        values = [VALUES[letter] for letter in last]
        # </values>
        number = 0
        # <with-next>
        for value, following in zip(values, [*values[1:], 0]):
        # </with-next>
            # <subtract>
            number += -value if value < following else value
            # </subtract>
        # <key>
        keyed.append((name.casefold(), number, entry))
        # </key>
    # <order>
    return [entry for _, _, entry in sorted(keyed)]
    # </order>
