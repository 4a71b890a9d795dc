        yield path
