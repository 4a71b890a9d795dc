        if chosen and not chosen & question.options:
            raise InvalidAnswer(f"question {number} has no {chosen}")
