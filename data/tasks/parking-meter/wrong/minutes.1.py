    minutes = (departure - arrival).seconds // 60
