        moment + timedelta(minutes=length)
