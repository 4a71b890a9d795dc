        if question.options - chosen:
            raise InvalidAnswer(f"question {number} has no {chosen}")
