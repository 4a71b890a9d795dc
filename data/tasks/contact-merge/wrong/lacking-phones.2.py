            if plain_number(phone) not in numbers_of(known):
                known.phones.append(plain_number(phone))
