"""Phone numbers."""

COUNTRY = "41"
"""The country of numbers that begin with a single 0."""


def plain_number(phone: str) -> str:
    """The digits of a phone number with its country: `41227654321` for `022 765 43 21` and `+41 22 765-43-21`."""
    digits = "".join(sign for sign in phone if sign.isdigit())
    if digits.startswith("00"):
        return digits[2:]
    return COUNTRY + digits[1:] if digits.startswith("0") else digits
