    ranking = sorted(rows.values(), key=lambda row: (row.points, row.difference, row.scored, row.team), reverse=True)
