    ordered = sorted(messages, key=lambda message: message.sent, reverse=True)
