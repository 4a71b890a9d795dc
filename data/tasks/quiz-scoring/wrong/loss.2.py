        loss = self.cost(question) if errors else 0.0
