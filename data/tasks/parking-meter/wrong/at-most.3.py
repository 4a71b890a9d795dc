    min(amount, DAY_PRICE)
