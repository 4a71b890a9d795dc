"""Lifts and the buildings in which they are."""
