        except Exception:
