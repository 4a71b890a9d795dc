    except KeyError:
        self.items = before
        raise
