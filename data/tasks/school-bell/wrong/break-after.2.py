        moment += break_after(number)
