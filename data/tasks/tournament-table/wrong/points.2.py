        if match.home_goals > match.guest_goals:
            home.points += WIN
        else:
            guest.points += WIN
