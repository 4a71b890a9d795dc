"""Courses as typed, read-only bundles, and the behavioural features they are described in.

A bundle is one course's files (see `data.bundle`); the catalogue names the features (see
`data.catalogue`). Nothing here knows a tool, a model or a user interface, and nothing here imports
another of our packages.
"""
