def encode(rows: list[str]) -> str:
    """The image as one text; raise RaggedImage if its rows are not equally long."""
    # <same-width>
    if any(len(row) != len(rows[0]) for row in rows):
        raise RaggedImage("the rows are not equally long")
    # </same-width>
    lines: list[str] = []
    for number, row in enumerate(rows):
        # <same-row>
        if number > 0 and row == rows[number - 1]:
            lines.append(SAME)
            continue
        # </same-row>
        runs: list[str] = []
        # <first-run>
        colour, length = row[0], 0
        # </first-run>
        for pixel in row:
            # <run-ends>
            ends = pixel != colour or length == LONGEST
            # </run-ends>
            if ends:
                # <write-run>
                runs.append(format_run(length, colour))
                # </write-run>
                # <next-run>
                colour, length = pixel, 0
                # </next-run>
            # <count-pixel>
            length += 1
            # </count-pixel>
        # <last-run>
        runs.append(format_run(length, colour))
        # </last-run>
        lines.append("".join(runs))
    # <join-rows>
    return "/".join(lines)
    # </join-rows>
