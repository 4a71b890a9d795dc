    if any(len(row) != len(rows[0]) for row in rows):
        return RaggedImage("the rows are not equally long")
