        errors = len(question.right - chosen)
