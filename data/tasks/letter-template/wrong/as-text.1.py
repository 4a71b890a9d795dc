        value = fields[name]
