"""What whoever runs Scribe for a campus needs on the command line besides `scribe chat`."""
