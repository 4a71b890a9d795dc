    lessons = self.lessons[day.weekday()]
