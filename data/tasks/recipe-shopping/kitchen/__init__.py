"""Recipes and what to buy for them."""
