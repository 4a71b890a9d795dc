    roomy = list(rows.values())
