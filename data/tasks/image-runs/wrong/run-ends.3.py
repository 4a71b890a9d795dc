            ends = pixel != colour and length <= LONGEST
