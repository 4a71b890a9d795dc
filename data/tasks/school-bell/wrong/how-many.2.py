    lessons = self.lessons.get(day, LESSONS)
