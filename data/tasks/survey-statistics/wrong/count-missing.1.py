    missing = len([value for value in values if not value])
