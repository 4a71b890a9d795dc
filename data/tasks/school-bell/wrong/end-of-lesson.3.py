        moment = moment.replace(minute=moment.minute + length)
