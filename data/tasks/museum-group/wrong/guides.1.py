        price += guide_fee(1)
