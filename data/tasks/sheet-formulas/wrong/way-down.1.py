    way = above
    way.add(cell)
