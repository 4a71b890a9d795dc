"""From clicks to the behavioural features of each student and week, named as in the catalogue.

Each function gives formula, unit and source of its features. All look at one week at a time (the published `eq_week`
mode), on the course's clock. A family returns, lazily, a row per `cell` (a student's week) and a column per feature;
what cannot be computed is null there and absent from the result.
"""
