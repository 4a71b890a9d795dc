        if rings[-1] != moment.time():
            rings.append(moment.time())
