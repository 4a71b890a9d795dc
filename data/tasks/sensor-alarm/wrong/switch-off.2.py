            changes = reading.value <= limits.low
