        chosen = chosen & question.options
