"""Contact books."""
