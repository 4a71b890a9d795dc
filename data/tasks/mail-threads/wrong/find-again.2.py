        by_subject[key] = thread
