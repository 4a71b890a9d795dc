    rows = {team: Row(team) for line in lines for team in line.rpartition(" ")[0].split(" - ")}
