        level = above is not None and row.is_level_with(above)
        row.place = number - 1 if level else number
