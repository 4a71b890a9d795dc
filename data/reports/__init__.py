"""Feedback reports: from a student's explanation to what the student reads, and the proof that it is true.

`compose` writes a report from phrases and data alone, `llm` through a language model; `claims` reads any report and
says where it disagrees with the data. Nothing here predicts or explains: see `data.predictor` and `data.contrast`.
"""
