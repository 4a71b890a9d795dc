"""Commands of the coding tutor: its tasks, and a session at the terminal."""
