    free = self.free_seats
