"""Courses as typed, read-only bundles, and the behavioural features they are described in.

A bundle is one course's files (see `data.bundle`); the catalogue names the features (see
`data.catalogue`). Nothing here knows a tool, a language model or a user interface.

Folders use each other in one direction: events → features → predictor → contrast → reports → build. `cohort`, which
simulates students, stands beside features.
"""
