        level = above is not None and row.points == above.points
        row.place = above.place if level else number
