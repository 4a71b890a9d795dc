        digits == ""
