    return sorted(threads, key=lambda thread: thread.latest)
