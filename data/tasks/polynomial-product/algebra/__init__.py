"""Polynomials in one variable."""
