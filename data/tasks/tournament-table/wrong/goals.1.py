        home.scored = match.home_goals
        home.conceded = match.guest_goals
        guest.scored = match.guest_goals
        guest.conceded = match.home_goals
