def group_threads(messages: list[Message]) -> list[Thread]:
    """The threads of messages, the one with the latest message first."""
    threads: list[Thread] = []
    by_id: dict[str | None, Thread] = {}
    by_subject: dict[str, Thread] = {}
    # <oldest-first>
    ordered = sorted(messages, key=lambda message: message.sent)
    # </oldest-first>
    for message in ordered:
        # <bare-subject>
        subject = bare_subject(message.subject)
        # </bare-subject>
        # <fold-case>
        key = subject.lower()
        # </fold-case>
        # <same-subject>
        alike = by_subject.get(key)
        # </same-subject>
        # <too-old>
        if alike is not None and message.sent - alike.latest > WINDOW:
            alike = None
        # </too-old>
        # <answer-first>
        thread = by_id.get(message.reply_to) or alike
        # </answer-first>
        if thread is None:
            # <new-thread>
            thread = Thread(subject)
            # </new-thread>
            threads.append(thread)
        thread.messages.append(message)
        # <find-again>
        by_id[message.id] = thread
        by_subject[key] = thread
        # </find-again>
    # <latest-first>
    return sorted(threads, key=lambda thread: thread.latest, reverse=True)
    # </latest-first>
