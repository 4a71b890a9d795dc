    median = ordered[len(ordered) / 2]
