"""One assistant for all: settings to course, model, tools and a guarded agent for each student.

Chat, batch, judge runs, benches and training put it together here, so that what is measured and trained is what
students meet. Where settings come from (a file, the environment, a command line) is not known here.
"""
