        errors = max(len(chosen) - len(question.right), 0)
