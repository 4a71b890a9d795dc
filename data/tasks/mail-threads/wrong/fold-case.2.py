        key = subject = subject.lower()
