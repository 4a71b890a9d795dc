"""A chronicle of kings."""
