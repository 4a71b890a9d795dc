"""Variants of one pipeline beside one another: trained from the same base and examples, asked the same questions.

How each is trained is `finetune.pipeline`'s affair, how it answers `app.batch`'s, and how sure a difference is
`eval.significance`'s.
"""
