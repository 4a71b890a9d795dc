        numbers = {phone.replace(" ", "") for phone in card.phones}
