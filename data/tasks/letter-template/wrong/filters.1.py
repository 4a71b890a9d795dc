            FILTERS[each](value)
