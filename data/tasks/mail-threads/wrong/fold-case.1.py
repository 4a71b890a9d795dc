        key = subject
