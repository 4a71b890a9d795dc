        rings.append(moment.time())
