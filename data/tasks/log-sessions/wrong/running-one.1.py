        session = running[click.user]
