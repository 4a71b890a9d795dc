    clicks = sorted(clicks, key=lambda click: str(click.minute))
