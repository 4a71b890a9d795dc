"""Courses as typed, read-only bundles, and the behavioural features they are described in.

Folders use each other in one direction: events → features → predictor → contrast → reports → build. `cohort`, which
simulates students, stands beside features.
"""
