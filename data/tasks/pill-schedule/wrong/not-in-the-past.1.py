                return due
