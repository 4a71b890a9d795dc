            ends = pixel != colour or length > LONGEST
