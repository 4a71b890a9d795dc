"""Counting steps of time."""


def count_begun(minutes: int, step: int) -> int:
    """How many steps of so many minutes have begun after `minutes` minutes: 31 minutes are two steps of 30."""
    return -(-minutes // step)
