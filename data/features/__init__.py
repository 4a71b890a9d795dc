"""From clicks to the behavioural features of each student and week, named as in the catalogue.

`weekly` joins the families of `activity`, `alignment` and `videos`; each function gives formula, unit and source of its
features. `timeline` puts the events in order. All look at one week at a time (the published `eq_week` mode), on the
clock of the course's time zone. A family returns, lazily, a row per `cell` (a student's week) and a column per feature;
what cannot be computed is null there and absent from the result.
"""
