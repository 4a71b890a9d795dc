"""A machine that sells things for coins."""

from collections.abc import Iterator
from contextlib import contextmanager

from vending.coins import COINS, worth


class SoldOut(Exception):
    """Nothing is left of a product."""


class NotEnough(Exception):
    """Too little was paid."""


class NoChange(Exception):
    """The machine does not have the coins for the change."""


class Machine:
    """Knows prices, its stock of each product, and the coins that it has."""

    def __init__(self, prices: dict[str, int], stock: dict[str, int], coins: dict[int, int]) -> None:
        self._prices = dict(prices)
        self._stock = dict(stock)
        self._coins = {coin: coins.get(coin, 0) for coin in COINS}

    @property
    def money(self) -> int:
        """What all the coins in the machine are worth."""
        return worth(self._coins)

    def left(self, product: str) -> int:
        """How many pieces of a product there are, 0 if the machine does not know it."""
        return self._stock.get(product, 0)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """For `with`: if an exception is raised inside, stock and coins become what they were, and it is raised on."""
        stock, coins = dict(self._stock), dict(self._coins)
        try:
            yield
        except Exception:
            self._stock, self._coins = stock, coins
            raise

    def buy(self, product: str, paid: list[int]) -> list[int]:
        """Sell a product for coins out of `COINS` and return the change; raise SoldOut, NotEnough or NoChange."""
        raise NotImplementedError
