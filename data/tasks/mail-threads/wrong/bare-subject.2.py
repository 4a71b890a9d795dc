        subject = message.subject.split(":")[1].strip() if ":" in message.subject else message.subject
