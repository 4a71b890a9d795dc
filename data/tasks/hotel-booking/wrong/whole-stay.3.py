    stay = Stay(arrival, arrival + timedelta(days=nights - 1))
