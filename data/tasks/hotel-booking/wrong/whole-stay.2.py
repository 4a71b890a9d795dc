    stay = Stay(arrival, arrival + nights)
