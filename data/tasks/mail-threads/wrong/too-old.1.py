        if alike is not None and (message.sent - alike.latest).days > WINDOW.days:
            alike = None
