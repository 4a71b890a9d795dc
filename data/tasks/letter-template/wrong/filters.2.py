            value = FILTERS[each](str(fields[name]))
