"""Distances between cities."""
