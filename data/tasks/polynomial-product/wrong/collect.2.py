        product[power] += coefficient
