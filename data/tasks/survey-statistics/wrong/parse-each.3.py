    values = parse_answer(texts)
