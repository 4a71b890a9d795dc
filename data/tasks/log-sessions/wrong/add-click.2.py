        session.clicks.append(click.page)
