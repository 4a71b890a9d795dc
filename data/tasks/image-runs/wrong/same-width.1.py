    if rows and len(rows[0]) != len(rows[-1]):
        raise RaggedImage("the rows are not equally long")
