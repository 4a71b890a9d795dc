"""Clocks for chess; all times are in seconds."""
