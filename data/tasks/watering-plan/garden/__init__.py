"""Plants of a garden and when they need water."""
