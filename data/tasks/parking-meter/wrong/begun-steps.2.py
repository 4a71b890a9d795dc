            amount = count_begun(inside, band.step) * band.price
