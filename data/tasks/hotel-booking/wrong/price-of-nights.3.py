    price = sum(night_price(room.price, arrival + timedelta(days=night)) for night in range(nights + 1))
