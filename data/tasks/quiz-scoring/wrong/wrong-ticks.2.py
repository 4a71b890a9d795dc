        errors = len(chosen ^ question.right)
