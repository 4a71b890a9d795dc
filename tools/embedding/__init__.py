"""Texts to vectors with a local model; nothing is ever downloaded."""
