            found = mismatches == 0
