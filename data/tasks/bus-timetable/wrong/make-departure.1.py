                departures.append(Departure(bus, minute))
