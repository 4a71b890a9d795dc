"""Sequences of DNA and what occurs in them."""
