    booking = Booking(room, guest, stay, price)
