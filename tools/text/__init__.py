"""Words and sentences of a text, as search compares them and as a small model can copy them."""
