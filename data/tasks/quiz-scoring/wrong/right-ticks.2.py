        hits = len(chosen | question.right)
