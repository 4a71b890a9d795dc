    departures.sort(key=lambda departure: (departure.minute, departure.bus))
