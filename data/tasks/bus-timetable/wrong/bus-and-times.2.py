        bus, _, times = row.rpartition(":")
