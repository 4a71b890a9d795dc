            session = Session
