    ordinary = Ticket.price(day)
