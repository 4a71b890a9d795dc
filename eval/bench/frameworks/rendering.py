"""Messages and tools of OpenAI's interface as Llama 3.1's chat template writes them.

Three things differ from Meta's template. Tools stand in the system message, before what differs among students; that
is the template's own `tools_in_user_message=false`. A turn may hold a thought before its call, and more than one call,
each on a line of its own. Student's text is not kept apart from control tokens; Meta's does not do it either.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from eval.bench.frameworks.script import Reply, text_of

END = "<|eot_id|>"
_OPENING = "Environment: ipython\nCutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n"
_HOW = (
    "You have access to the following functions. To call a function, please respond with JSON for a function call."
    'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.'
    "Do not use variables.\n\n"
)


def rendered(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> str:
    """The prompt, with an assistant turn open at its end."""
    first, *others = messages
    listing = "".join(f"{json.dumps(tool, indent=4, ensure_ascii=False)}\n\n" for tool in tools)
    system = f"{_OPENING}{_HOW if tools else ''}{listing}{text_of(first).strip()}"
    return "".join(
        (
            f"<|begin_of_text|>{_header('system')}{system}{END}",
            *(f"{_header(_role(message))}{_content(message)}{END}" for message in others),
            _header("assistant"),
        )
    )


def written(reply: Reply) -> str:
    """A turn as the next prompt will show it, if the framework gives it back as it was."""
    if not reply.calls:
        return f"{reply.answer.strip()}{END}"
    return f"{_called(reply.thought, reply.calls)}{END}"


def _role(message: Mapping[str, Any]) -> str:
    return "ipython" if message["role"] == "tool" else str(message["role"])


def _header(role: str) -> str:
    return f"<|start_header_id|>{role}<|end_header_id|>\n\n"


def _content(message: Mapping[str, Any]) -> str:
    if not message.get("tool_calls"):
        return text_of(message).strip()
    functions = [call["function"] for call in message["tool_calls"]]
    calls = [{"name": made["name"], "arguments": json.loads(made["arguments"])} for made in functions]
    return _called(text_of(message), calls)


def _called(thought: str, calls: Sequence[Mapping[str, Any]]) -> str:
    lines = [json.dumps({"name": call["name"], "parameters": call["arguments"]}, ensure_ascii=False) for call in calls]
    return "\n".join(([thought.strip()] if thought.strip() else []) + lines)
