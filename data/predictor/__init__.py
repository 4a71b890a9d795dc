"""Predicts who passes from the behaviour of the concluded weeks, fitted on an earlier run of the course.

`training.fit` makes a `model.Predictor`, an ensemble of two-way LSTMs over the weeks; `data.contrast` explains it.
`training.cross_validate` measures its `quality` beside a logistic regression.
"""
