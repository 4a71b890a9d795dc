            thread = Thread(message.subject)
