        return path, total
