            running[click.user] = session
