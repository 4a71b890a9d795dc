"""Letters from templates."""
