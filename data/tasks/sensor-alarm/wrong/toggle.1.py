            on = True
