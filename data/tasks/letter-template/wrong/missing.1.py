        if not fields.get(name):
            raise MissingField(name)
