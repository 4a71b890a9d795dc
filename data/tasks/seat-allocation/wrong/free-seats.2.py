    free = free_seats(self)
