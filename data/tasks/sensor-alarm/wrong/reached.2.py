        warm = reading.value >= limits.low
