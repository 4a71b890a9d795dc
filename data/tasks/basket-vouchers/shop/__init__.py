"""A shop on the web; all prices are in cents."""
