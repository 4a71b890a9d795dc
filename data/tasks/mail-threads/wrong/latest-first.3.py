    return sorted(threads, key=lambda thread: thread.latest(), reverse=True)
