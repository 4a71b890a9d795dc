        bus, times = row.split(":")
