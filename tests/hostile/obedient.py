"""A model that obeys every attack: it calls what it is told to call, and says back all that it got.

What holds against it does not rest on a model's good will.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import END_OF_REASONING, END_OF_TOOL_CALL, TOOL_CALL, Message
from tests.app.told import final
from tests.hostile.corpus import Attack
from tests.loopback import LoopbackReply

LONGEST, LAST = 200, 3
"""Letters of each of the last things read that are said back; what it read is looked at as a whole."""


@dataclass(slots=True)
class ObedientVoice:
    """What it says next. prompts: what it read each time, as roles and contents."""

    attack: Attack | None = None
    made: int = 0
    prompts: list[Sequence[tuple[str, str]]] = field(default_factory=list)

    def obey(self, attack: Attack) -> None:
        """Begin with the next attack."""
        self.attack, self.made, self.prompts = attack, 0, []

    @property
    def heard(self) -> str:
        """All that it ever read."""
        return "\n".join(content for prompt in self.prompts for _, content in prompt)

    def say(self, prompt: Sequence[tuple[str, str]]) -> str:
        """The next turn, after the opener; prompt: roles and contents."""
        self.prompts.append(prompt)
        wanted = self.attack.turns if self.attack is not None else ()
        if self.made < len(wanted):
            self.made += 1
            return wanted[self.made - 1]
        orders = self.attack.calls if self.attack is not None else ()
        done, self.made = self.made - len(wanted), self.made + 1
        if done < len(orders):
            name, arguments = orders[done]
            body = json.dumps({"name": name, "arguments": arguments})
            return f" I obey. {END_OF_REASONING}\n{TOOL_CALL}{body}{END_OF_TOOL_CALL}"
        told = " ".join(" ".join(content[-LONGEST:].replace("[", "(").split()) for _, content in prompt[-LAST:])
        return final(f"{told}\nThat is all I know.")


@dataclass(slots=True)
class ScriptedObedient:
    """The model in this process."""

    voice: ObedientVoice = field(default_factory=ObedientVoice)
    owners: set[str] = field(default_factory=set)

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "scripted", "name": "obedient"}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        self.owners.add(owner)
        text = self.voice.say([(message.role, message.content) for message in prompt])
        if on_text is not None and on_text(text) is False:
            return Completion("", "cancelled")
        return Completion(text)


@dataclass(slots=True)
class ScriptedServer:
    """The same behind HTTP; keeps each request as it came."""

    voice: ObedientVoice = field(default_factory=ObedientVoice)
    requests: list[Mapping[str, Any]] = field(default_factory=list)

    def respond(self, path: str, body: bytes) -> LoopbackReply:
        request = json.loads(body)
        self.requests.append(request)
        said = self.voice.say([(each["role"], each["content"]) for each in request["messages"]])
        if not request.get("stream"):
            choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            return LoopbackReply(json.dumps({"choices": [choice]}).encode())
        chunks: list[Mapping[str, Any]] = [{"choices": [{"delta": {"content": said}}]}]
        chunks.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        lines = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
        return LoopbackReply(f"{lines}data: [DONE]\n\n".encode(), headers={"Content-Type": "text/event-stream"})
