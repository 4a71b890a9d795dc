        value = repr(fields[name])
