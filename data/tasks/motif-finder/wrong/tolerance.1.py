            found = mismatches < tolerance
