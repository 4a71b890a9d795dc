        except (TooHeavy, Cursed):
