"""The ledgers of a small bank."""
