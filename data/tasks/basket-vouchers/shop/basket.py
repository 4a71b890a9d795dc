"""What a customer is about to buy."""

from shop.vouchers import UnknownVoucher, Voucher, find_voucher

SHIPPING = 490
"""What it costs to send a basket."""
FREE_FROM = 5000
"""Baskets of this price or more are sent for free."""


class Basket:
    """Articles with their prices and numbers."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, int, int]] = []

    def add(self, article: str, price: int, pieces: int = 1) -> None:
        """Put pieces of an article into the basket."""
        self._entries.append((article, price, pieces))

    def subtotal(self) -> int:
        """The price of all goods, without vouchers and shipping."""
        return sum(price * pieces for _, price, pieces in self._entries)

    def total(self, codes: list[str]) -> int:
        """What is to pay, with the vouchers of these codes."""
        raise NotImplementedError
