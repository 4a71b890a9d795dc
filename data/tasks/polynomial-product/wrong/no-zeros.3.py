    return without_zeros(product)
