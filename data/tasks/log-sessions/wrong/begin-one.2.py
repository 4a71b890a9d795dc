            session = Session(click.page)
