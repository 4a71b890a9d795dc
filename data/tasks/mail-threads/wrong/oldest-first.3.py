    ordered = messages.sort(key=lambda message: message.sent)
