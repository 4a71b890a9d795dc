"""A text adventure: rooms, things and a bag."""
