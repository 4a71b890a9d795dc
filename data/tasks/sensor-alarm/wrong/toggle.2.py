            on == (not on)
