"""People and how they descend from each other."""
