"""Vouchers and their codes."""


class UnknownVoucher(Exception):
    """No voucher has this code."""


class Voucher:
    """Something off for a customer whose goods cost at least `minimum` cents."""

    rank = 0

    def __init__(self, minimum: int = 0) -> None:
        self.minimum = minimum

    def discount(self, cents: int) -> int:
        """How many cents are taken off when so many are left to pay."""
        return 0


class PercentVoucher(Voucher):
    """So many percent off, rounded down to cents."""

    rank = 1

    def __init__(self, percent: int, minimum: int = 0) -> None:
        super().__init__(minimum)
        self.percent = percent

    def discount(self, cents: int) -> int:
        """How many cents are taken off when so many are left to pay."""
        return cents * self.percent // 100


class AmountVoucher(Voucher):
    """So many cents off, even if fewer are left to pay."""

    rank = 2

    def __init__(self, amount: int, minimum: int = 0) -> None:
        super().__init__(minimum)
        self.amount = amount

    def discount(self, cents: int) -> int:
        """How many cents are taken off when so many are left to pay."""
        return self.amount


_VOUCHERS = {
    "SPRING10": PercentVoucher(10),
    "HALF": PercentVoucher(50, minimum=4000),
    "THANKS5": AmountVoucher(500, minimum=2000),
    "GIFT20": AmountVoucher(2000),
}


def find_voucher(code: str) -> Voucher:
    """The voucher of a code, in small or large letters and with blanks around it or not; raise UnknownVoucher."""
    try:
        return _VOUCHERS[code.strip().upper()]
    except KeyError:
        raise UnknownVoucher(code) from None
