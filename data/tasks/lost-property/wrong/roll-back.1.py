    except Exception:
        self.items = before
