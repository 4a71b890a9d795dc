        yield
