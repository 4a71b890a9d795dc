def __mul__(self, other: "Polynomial | int") -> "Polynomial":
    """The product of this polynomial and another one or a whole number."""
    # <number>
    if isinstance(other, int):
        other = Polynomial.constant(other)
    # </number>
    # <stranger>
    if not isinstance(other, Polynomial):
        return NotImplemented
    # </stranger>
    # <fresh>
    product = {}
    # </fresh>
    # <every-pair>
    pairs = [(mine, theirs) for mine in self.terms for theirs in other.terms]
    # </every-pair>
    for mine, theirs in pairs:
        # <powers>
        power = mine + theirs
        # </powers>
        coefficient = self.terms[mine] * other.terms[theirs]
        # <collect>
        product[power] = product.get(power, 0) + coefficient
        # </collect>
    # <no-zeros>
    return Polynomial(without_zeros(product))
    # </no-zeros>
