"""What every package needs and nobody should write again: errors, files, threads, progress, manifests, HTTP.

It knows no model, course or tool, and imports nothing else of Scribe; any folder may import it.
"""
