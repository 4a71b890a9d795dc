            amount += inside // band.step * band.price
