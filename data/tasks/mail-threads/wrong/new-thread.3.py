            thread = Thread(subject, [message])
