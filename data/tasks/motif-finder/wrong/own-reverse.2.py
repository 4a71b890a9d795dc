    if motif == motif[::-1]:
        del patterns["-"]
