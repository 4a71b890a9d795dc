"""Event logs of learning platforms, read into one table of clicks (`schema`) by `reading.read_events`."""
