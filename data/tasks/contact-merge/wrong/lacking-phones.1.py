            if phone not in known.phones:
                known.phones.append(phone)
