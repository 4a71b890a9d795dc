        thread = alike
