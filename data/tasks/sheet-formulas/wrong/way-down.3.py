    way = above
