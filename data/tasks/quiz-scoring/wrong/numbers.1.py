    numbered = enumerate(self.questions)
