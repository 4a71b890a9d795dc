def fill(template: str, fields: dict[str, object]) -> str:
    """The template with each placeholder replaced; raise MissingField or BrokenTemplate if that cannot be."""
    # <pieces>
    before, *pieces = template.split("{")
    # </pieces>
    filled = [before]
    for piece in pieces:
        # <close>
        inside, brace, after = piece.partition("}")
        # </close>
        # <unclosed>
        if not brace:
            raise BrokenTemplate(f"no closing brace after {inside!r}")
        # </unclosed>
        # <name-and-filters>
        name, *filters = [part.strip() for part in inside.split("|")]
        # </name-and-filters>
        # <missing>
        if name not in fields:
            raise MissingField(name)
        # </missing>
        # <as-text>
        value = str(fields[name])
        # </as-text>
        for each in filters:
            # <filters>
            value = FILTERS[each](value)
            # </filters>
        # <put-in>
        filled.append(value + after)
        # </put-in>
    return "".join(filled)
