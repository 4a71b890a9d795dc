"""Explains predictions by contrast (Dhurandhar et al. 2018, arXiv 1802.07623): `explain.explain` is the way in."""
