"""Commands of the coding tutor: its tasks."""
