            yield Event(reading.minute, on)
            return
