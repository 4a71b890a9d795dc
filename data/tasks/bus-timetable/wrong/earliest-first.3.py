    departures = departures.sort(key=lambda departure: departure.minute)
