        hits = chosen & question.right
