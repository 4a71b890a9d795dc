        home.points = points_for(match.home_goals, match.guest_goals)
        guest.points = points_for(match.guest_goals, match.home_goals)
