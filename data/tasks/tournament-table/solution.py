def final_table(teams: list[str], lines: list[str]) -> list[Row]:
    """The rows of all teams, best first, with their places."""
    # <row-each>
    rows = {team: Row(team) for team in teams}
    # </row-each>
    for line in lines:
        # <parse>
        match = parse_match(line)
        # </parse>
        home, guest = rows[match.home], rows[match.guest]
        # <points>
        home.points += points_for(match.home_goals, match.guest_goals)
        guest.points += points_for(match.guest_goals, match.home_goals)
        # </points>
        # <goals>
        home.scored += match.home_goals
        home.conceded += match.guest_goals
        guest.scored += match.guest_goals
        guest.conceded += match.home_goals
        # </goals>
    # <order>
    ranking = sorted(rows.values(), key=lambda row: (-row.points, -row.difference, -row.scored, row.team))
    # </order>
    above = None
    # <numbering>
    for number, row in enumerate(ranking, start=1):
    # </numbering>
        # <shared-place>
        level = above is not None and row.is_level_with(above)
        row.place = above.place if level else number
        # </shared-place>
        above = row
    return ranking
