            needed = inner
