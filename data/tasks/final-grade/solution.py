def final_grade(grades: dict[str, float | None], weights: dict[str, float]) -> float | None:
    """The weighted mean of the grades that count, rounded to quarters; None if none counts."""
    # <excused>
    counting = {item: grade for item, grade in grades.items() if grade is not None}
    # </excused>
    # <nothing-counts>
    if not counting:
        return None
    # </nothing-counts>
    # <on-the-scale>
    counting = {item: clip(grade) for item, grade in counting.items()}
    # </on-the-scale>
    # <weights-that-count>
    weight = sum(weights[item] for item in counting)
    # </weights-that-count>
    # <weighted-sum>
    total = sum(grade * weights[item] for item, grade in counting.items())
    # </weighted-sum>
    # <divide>
    mean = total / weight
    # </divide>
    # <quarters>
    return round_to_quarter(mean)
    # </quarters>
