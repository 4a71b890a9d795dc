        session.clicks = [click]
