                departures = [Departure(minute, bus)]
