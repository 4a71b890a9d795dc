        if number > 0 and row == rows[number - 1]:
            lines.append(SAME)
