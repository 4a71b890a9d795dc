"""Images as short texts."""
