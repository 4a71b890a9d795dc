            yield reading.minute, on
