"""A quiz and its marks."""
