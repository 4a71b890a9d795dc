"""A small hotel; prices are in francs."""
