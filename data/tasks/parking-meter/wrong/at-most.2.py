    amount = max(amount, DAY_PRICE)
