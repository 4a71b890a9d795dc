"""What differs between two states of a register."""

from collections.abc import Mapping


def list_changes(before: Mapping[int, object], after: Mapping[int, object]) -> list[str]:
    """One short sentence for each number whose item is new, gone or changed, by number."""
    changes = []
    for number in sorted(before.keys() | after.keys()):
        if number not in before:
            changes.append(f"{number} is new")
        elif number not in after:
            changes.append(f"{number} is gone")
        elif before[number] != after[number]:
            changes.append(f"{number} has changed")
    return changes
