        row.place = number
