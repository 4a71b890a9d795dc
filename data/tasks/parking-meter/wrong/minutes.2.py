    minutes = departure.hour * 60 + departure.minute - arrival.hour * 60 - arrival.minute
