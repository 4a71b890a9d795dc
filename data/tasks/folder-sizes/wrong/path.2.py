    path = above + folder.name
