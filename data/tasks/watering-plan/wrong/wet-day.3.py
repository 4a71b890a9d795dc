        wet = rain[day] >= ENOUGH
