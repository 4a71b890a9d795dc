                return min(due, today)
