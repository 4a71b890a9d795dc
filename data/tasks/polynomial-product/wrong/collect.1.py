        product[power] = coefficient
