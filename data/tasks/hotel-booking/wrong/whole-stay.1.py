    stay = Stay(arrival, arrival.replace(day=arrival.day + nights))
