            length =+ 1
