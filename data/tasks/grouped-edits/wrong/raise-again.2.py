        raise ValueError("the group is taken back")
