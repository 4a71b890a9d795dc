"""Coins and their value in centimes."""

COINS = (10, 20, 50, 100, 200)
"""The coins that there are, the smallest first."""


def worth(coins: dict[int, int]) -> int:
    """The value of coins of which the number of each is given."""
    return sum(coin * number for coin, number in coins.items())
