        yield total, path
