"""Courses as typed, read-only bundles, and the behavioural features they are described in.

Folders use each other in one direction: events → features (and cohort) → predictor → contrast → reports → build.
"""
