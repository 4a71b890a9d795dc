    counting = {item: grade or 0.0 for item, grade in grades.items()}
