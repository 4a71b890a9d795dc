"""Who passes, told from the behaviour of the weeks that are over: fitted on an earlier run of the course.

`training.fit` makes a `predictor.Predictor`, an ensemble of small two-way LSTMs over the weeks; the same
model predicts and is explained (by `data.contrast`). `validation.cross_validate` says how good it is,
beside a logistic regression; `python -m data.predictor.measure` prints that. `choice` says which features
are read, `monotone` keeps the model from learning that studying less helps.
"""
