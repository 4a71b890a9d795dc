            amount += count_begun(rest, band.step) * band.price
