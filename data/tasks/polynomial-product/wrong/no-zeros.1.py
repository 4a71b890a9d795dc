    return Polynomial(product)
