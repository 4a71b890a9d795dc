        wet = rain.get(day, 0.0) > ENOUGH
