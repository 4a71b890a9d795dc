    numbered = zip(sheet, self.questions)
