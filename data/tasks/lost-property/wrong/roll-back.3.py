    except Exception:
        raise
