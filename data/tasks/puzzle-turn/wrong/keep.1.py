            self.piece = turned
