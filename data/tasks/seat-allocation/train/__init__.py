"""Carriages of a train and their seats."""
