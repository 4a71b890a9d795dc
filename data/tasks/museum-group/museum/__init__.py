"""The desk of a museum; prices are in cents."""
