"""Counting in texts."""
