    booking = Booking(guest, room.number, stay, price)
