            short = stock.get(pill, 0) <= number
