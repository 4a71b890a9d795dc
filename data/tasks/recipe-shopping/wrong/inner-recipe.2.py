            inner = {(line.what, line.unit): amount}
