    counting = {item: grade for item, grade in grades.items() if grade}
