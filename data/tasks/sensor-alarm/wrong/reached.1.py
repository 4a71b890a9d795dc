        warm = reading.value > limits.high
