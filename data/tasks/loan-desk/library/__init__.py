"""A small library: its opening days and its loan desk."""
