"""Songs and playlists."""
