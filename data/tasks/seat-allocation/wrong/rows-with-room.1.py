    roomy = [seats for seats in rows.values() if len(seats) > len(names)]
