        by_id[message.id] = thread
