            changes = reading.value < limits.high
