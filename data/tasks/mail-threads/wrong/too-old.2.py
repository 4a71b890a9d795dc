        if alike is not None and message.sent - alike.messages[0].sent > WINDOW:
            alike = None
