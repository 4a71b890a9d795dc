        line.update(above)
