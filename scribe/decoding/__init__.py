"""From messages to a turn, whichever library runs the model: chat formats, grammar, drawing of tokens, streaming.

`chat` is the one place that turns messages into token ids, for training too. Knows no model and no file of one.
"""
