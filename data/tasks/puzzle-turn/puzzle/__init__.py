"""A game with falling pieces."""
