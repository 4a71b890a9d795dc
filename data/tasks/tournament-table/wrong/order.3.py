    ranking = sorted(rows.values(), key=lambda row: (-row.points, -row.scored, -row.difference, row.team))
