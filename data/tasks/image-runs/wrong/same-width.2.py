    if any(len(row) != len(rows) for row in rows):
        raise RaggedImage("the rows are not equally long")
