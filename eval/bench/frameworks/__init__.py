"""The same model and the same turns, used through agent frameworks: smolagents and LangGraph.

They live in an environment of their own, because they would fight with our versions:

    python3.11 -m venv ~/frameworks && ~/frameworks/bin/pip install smolagents langchain langgraph langchain-openai
    python -m eval.bench.frameworks --frameworks-python ~/frameworks/bin/python

What runs (tried with smolagents 1.26.0, langchain 1.4.7, langgraph 1.2.22, langchain-openai 1.7.3, openai 3.54.0):

- A server of ours (`server`) on loopback, OpenAI-compatible, over `llama_cpp.Llama` with its own prefix matching and
  one sequence, as llama-cpp-python's bundled server has it. It replays: the model really reads each prompt, rendered
  from messages and tools in Llama 3.1's format (`rendering`), and really writes as many tokens as our agent's turn had
  (`replaying`), but what it says is the recorded turn (`script`). There is no grammar.
- smolagents: one `ToolCallingAgent` per student, with its own prompt and our rules and the report as `instructions`,
  over one `OpenAIModel`; it does not log. One question after the other: its agents are not for several threads.
- LangGraph: one graph per student by `langchain.agents.create_agent` (what `create_react_agent` became), with our
  rules and the report as system prompt, over one `ChatOpenAI`. One question after the other, or several threads.
- The tools are ours and run beside the model; the frameworks call them by HTTP (`loopback`).

In the frameworks' favour: faulty turns are not repeated, since they check no answer, so they ask and write less than
our agent; the tools stand before what differs among students, though Llama 3.1's template puts them behind it; a turn
that the framework gives back unchanged is in the cache already; the server has room for prompts longer than ours.
"""
