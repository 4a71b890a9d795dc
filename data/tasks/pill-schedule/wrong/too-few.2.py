            short = stock[pill] < number
