        subject = message.subject.removeprefix("Re: ")
