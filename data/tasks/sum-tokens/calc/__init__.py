"""A pocket calculator."""
