"""The composition root: command line, web page and settings; here alone are all the parts put together.

Holds no rule of the domain and no step of the loop: those are `tools` and `scribe`. What is slow to import
(torch, gradio, llama_cpp) is imported inside functions, so that `scribe --help` answers at once.
"""
