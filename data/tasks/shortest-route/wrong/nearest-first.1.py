        _, town = queue.pop()
