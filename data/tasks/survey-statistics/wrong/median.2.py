    half = len(ordered) // 2
    median = ordered[half] if len(ordered) % 2 == 1 else (ordered[half] + ordered[half + 1]) / 2
