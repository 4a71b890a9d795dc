        hits = int(chosen == question.right)
