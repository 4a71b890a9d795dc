    minutes = (departure - arrival).minutes
