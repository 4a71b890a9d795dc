        inside = rest - band.begin
