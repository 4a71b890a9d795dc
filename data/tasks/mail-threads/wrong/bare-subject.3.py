        subject = message.subject
