"""A car park; all prices are in cents."""
