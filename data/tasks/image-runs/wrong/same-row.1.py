        if row == rows[number - 1]:
            lines.append(SAME)
            continue
