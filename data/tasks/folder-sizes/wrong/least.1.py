    if total > least:
