    if type(other) == "int":
        other = Polynomial.constant(other)
