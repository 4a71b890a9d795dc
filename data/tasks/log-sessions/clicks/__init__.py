"""Reading a web server's log of clicks."""
