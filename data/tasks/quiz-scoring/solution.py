def mark(self, sheet: dict[int, str]) -> Result:
    """The marks of a sheet; raise InvalidAnswer."""
    marks: list[float] = []
    # <numbers>
    numbered = enumerate(self.questions, start=1)
    # </numbers>
    for number, question in numbered:
        # <left-out>
        written = sheet.get(number, "")
        # </left-out>
        # <parse>
        chosen = parse_choices(written)
        # </parse>
        # <valid-options>
        if chosen - question.options:
            raise InvalidAnswer(f"question {number} has no {chosen - question.options}")
        # </valid-options>
        # <right-ticks>
        hits = len(chosen & question.right)
        # </right-ticks>
        # <wrong-ticks>
        errors = len(chosen - question.right)
        # </wrong-ticks>
        # <gain>
        gain = question.points * hits / len(question.right)
        # </gain>
        # <loss>
        loss = self.cost(question) * errors
        # </loss>
        # <lower-end>
        mark = max(gain - loss, -question.points)
        # </lower-end>
        marks.append(mark)
    # <total>
    total = max(sum(marks), 0.0)
    # </total>
    return Result(marks, total)
