        if alike is not None and message.sent - alike.latest >= WINDOW:
            alike = None
