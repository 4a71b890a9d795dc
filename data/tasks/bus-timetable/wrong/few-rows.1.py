    return departures
