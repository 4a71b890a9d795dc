        loss = self.penalty * errors
