"""Commands killed at random moments, and the model that they ask."""
