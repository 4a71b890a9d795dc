        home.scored += match.home_goals
        guest.scored += match.guest_goals
