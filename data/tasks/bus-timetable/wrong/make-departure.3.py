                departures.append((minute, bus))
