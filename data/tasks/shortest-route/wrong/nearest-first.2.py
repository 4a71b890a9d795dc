        _, town = queue.pop(0)
