"""A tournament in which everybody plays against everybody."""
