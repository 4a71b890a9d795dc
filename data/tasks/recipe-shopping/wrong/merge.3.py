            for entry, more in inner.items():
                needed[entry] += more
