            sessions.append(session)
