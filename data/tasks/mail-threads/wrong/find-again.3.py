        by_id[message.reply_to] = thread
        by_subject[key] = thread
