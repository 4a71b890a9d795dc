        over = session is not None and click.minute - session.clicks[-1].minute >= PAUSE
