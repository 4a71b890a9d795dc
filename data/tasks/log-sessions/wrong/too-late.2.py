        over = session is not None and click.minute - session.clicks[0].minute > PAUSE
