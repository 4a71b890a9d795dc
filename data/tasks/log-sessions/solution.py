def split_sessions(lines: list[str]) -> list[Session]:
    """The sessions that a log tells of, in the order in which they began."""
    # <parse-lines>
    clicks = [parse_line(line) for line in lines]
    # </parse-lines>
    # <pass-over>
    clicks = [click for click in clicks if click is not None]
    # </pass-over>
    # <by-minute>
    clicks = sorted(clicks, key=lambda click: click.minute)
    # </by-minute>
    sessions: list[Session] = []
    running: dict[str, Session] = {}
    for click in clicks:
        # <running-one>
        session = running.get(click.user)
        # </running-one>
        # <too-late>
        over = session is not None and click.minute - session.clicks[-1].minute > PAUSE
        # </too-late>
        if session is None or over:
            # <begin-one>
            session = Session(click.user)
            # </begin-one>
            # <keep-it>
            sessions.append(session)
            running[click.user] = session
            # </keep-it>
        # <add-click>
        session.clicks.append(click)
        # </add-click>
    return sessions
