        loss = Quiz.cost(question) * errors
