        if fits(turned):
