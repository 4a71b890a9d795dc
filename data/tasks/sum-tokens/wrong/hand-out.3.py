        yield kind
