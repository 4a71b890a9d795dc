        alike = threads[-1] if threads and threads[-1].subject.lower() == key else None
