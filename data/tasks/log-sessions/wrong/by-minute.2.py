    clicks = sorted(clicks, key=lambda click: click.user)
