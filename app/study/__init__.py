"""The user study: people meet three reports and three models blind, ask, rate, and choose one conversation.

It has pages, tables and a process of its own beside the chat; a participant has a code and no account. What comes out
are CSV files, which `eval.study` analyses.
"""
