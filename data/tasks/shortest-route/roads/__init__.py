"""Towns, roads between them, and routes."""
