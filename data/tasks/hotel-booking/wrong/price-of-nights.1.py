    price = room.price * nights
