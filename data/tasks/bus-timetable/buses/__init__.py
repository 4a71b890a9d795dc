"""Buses that leave from the school's stop."""
