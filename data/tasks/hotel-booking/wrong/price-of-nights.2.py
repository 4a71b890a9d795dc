    price = night_price(room.price, arrival) * nights
