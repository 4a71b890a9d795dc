    without_zeros(product)
    return Polynomial(product)
