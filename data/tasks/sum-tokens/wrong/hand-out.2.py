        yield [token]
