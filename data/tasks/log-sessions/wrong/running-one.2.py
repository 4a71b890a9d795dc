        session = sessions[-1] if sessions else None
