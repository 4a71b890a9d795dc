                due = day - timedelta(days=DELIVERY)
