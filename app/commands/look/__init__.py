"""Commands that show what there is, without a model."""
