        if owed > 0:
            return NoChange(f"{owed} cannot be given back")
