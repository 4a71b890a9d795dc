    mark = 0
