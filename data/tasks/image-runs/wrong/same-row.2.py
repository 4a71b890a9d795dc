        if row in rows[:number]:
            lines.append(SAME)
            continue
