    rows = dict.fromkeys(teams, Row("team"))
