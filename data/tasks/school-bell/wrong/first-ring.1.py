    moment = START
