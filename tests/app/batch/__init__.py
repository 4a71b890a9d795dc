"""Batch answering, with models that answer by what they read."""
