"""The application around the chat page: the gate that every request passes, signing in, consent, a person's own data.

These pages are plain HTML from templates, which work without scripts. The chat itself is `app.web`, mounted once for
each course under `/c/<course>/`.
"""
