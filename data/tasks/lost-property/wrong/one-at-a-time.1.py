    if self.clerk == clerk:
        raise RegisterBusy(f"{self.clerk} is at it")
