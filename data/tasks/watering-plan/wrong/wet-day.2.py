        wet = day in rain
