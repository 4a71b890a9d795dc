            return [Event(reading.minute, on)]
