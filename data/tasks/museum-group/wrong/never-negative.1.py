    price = ordinary - off
