    way = {cell}
