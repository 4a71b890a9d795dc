    total = sum(grade * share for grade, share in zip(counting.values(), weights.values()))
