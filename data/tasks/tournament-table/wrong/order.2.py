    ranking = sorted(rows.values(), key=lambda row: row.points, reverse=True)
