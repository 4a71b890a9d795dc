    clicks = [click for click in clicks if click != '']
