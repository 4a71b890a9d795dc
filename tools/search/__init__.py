"""Finding what fits a query by meaning and by words; knows no tool, and the course only as texts to find."""
