"""Models in the Hugging Face format in this process, with an optional LoRA adapter, through transformers."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from llguidance import LLTokenizer
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, DynamicCache
from transformers.utils import logging as transformers_logging

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.backends.weights import fingerprint, require_base
from scribe.decoding.chat import ChatTokenizer, Encode, open_chat
from scribe.decoding.generation import Logits
from scribe.decoding.single_sequence import Decoder
from scribe.messages import Message
from scribe.plumbing.errors import BackendError, ModelFileError

Quantization = Literal["4bit", "8bit"]


class HfBackend:
    """A model from a folder on this machine, in its own chat format; nothing is downloaded.

    adapter: folder of a LoRA adapter. quantization: bitsandbytes' NF4 or LLM.int8 while loading.
    device: a torch device; the GPU if there is one. context: tokens of prompt and answer together.
    Raises ModelFileError for a folder that holds no such model.
    """

    def __init__(
        self,
        folder: Path | str,
        adapter: Path | str | None = None,
        quantization: Quantization | None = None,
        device: str | None = None,
        context: int = 4096,
    ) -> None:
        self._folder = Path(folder)
        self._adapter = Path(adapter) if adapter is not None else None
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.chat = chat_tokenizer(self._folder)
        self._model = HfModel(load_network(self._folder, self._adapter, quantization, device), context)
        folders = [self._folder, *([self._adapter] if self._adapter else [])]
        weights = [path for each in folders for path in sorted(each.glob("*.safetensors"))]
        name = "+".join(each.name for each in folders)
        # As of now: files that are replaced later are not what answers.
        self.info: Mapping[str, str] = {"backend": "hf", "name": name, "sha256": fingerprint(*weights)}
        text = _tokenizer(self._folder).to_str()
        guidance = LLTokenizer(text, n_vocab=self._model.size, eos_token=self.chat.end_of_turn)
        self._decoder = Decoder(self._model, self.chat, guidance)

    @property
    def context(self) -> int:
        """Tokens that fit."""
        return self._model.context

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        return self._decoder.complete(prompt, sampling, constraint, on_text)


class HfModel:
    """A loaded model as `scribe.decoding.single_sequence.Model`."""

    def __init__(self, network: Any, context: int) -> None:
        self._network = network
        self._cache: Any = None
        self.context = min(context, int(network.config.max_position_embeddings))
        self.size = int(network.config.vocab_size)

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        """Logits (vocabulary,) behind `ids`, which follow the first `keep` tokens of the cache."""
        if self._cache is None or keep == 0:
            self._cache = DynamicCache(config=self._network.config)
        elif surplus := self._cache.get_seq_length() - keep:
            self._cache.crop(-surplus)
        given = torch.tensor([list(ids)], device=self._network.device)
        try:
            with torch.inference_mode():
                said = self._network(given, past_key_values=self._cache, use_cache=True, logits_to_keep=1)
        except RuntimeError as error:  # out of memory, above all
            raise BackendError(f"the model could not evaluate {len(ids)} tokens: {error}") from error
        logits: Logits = said.logits[0, -1].float().cpu().numpy()
        return logits


def chat_tokenizer(folder: Path) -> ChatTokenizer:
    """The tokenizer of a model folder with the chat format that the folder names. Raises ModelFileError."""
    return open_chat(chat_template(folder), encoder(folder), folder.name)


def chat_template(folder: Path) -> str | None:
    """The chat template of a model folder, if it has one. Raises ModelFileError for a file that is not readable."""
    file, config = folder / "chat_template.jinja", folder / "tokenizer_config.json"
    try:
        if file.is_file():
            return file.read_text(encoding="utf-8")
        found = json.loads(config.read_text(encoding="utf-8")).get("chat_template") if config.is_file() else None
    except (OSError, ValueError, AttributeError) as error:
        raise ModelFileError(f"{folder}: its chat template is not readable ({error})") from error
    return found if isinstance(found, str) else None


def encoder(folder: Path) -> Encode:
    """How the tokenizer of a model folder encodes text. Raises ModelFileError if there is none.

    Two tokenizers, because whether control tokens are recognised is a state of the tokenizer.
    """
    recognising, plain = _tokenizer(folder), _tokenizer(folder)
    plain.encode_special_tokens = True

    def encode(text: str, special: bool) -> list[int]:
        ids: list[int] = (recognising if special else plain).encode(text, add_special_tokens=False).ids
        return ids

    return encode


def _tokenizer(folder: Path) -> Tokenizer:
    file = folder / "tokenizer.json"
    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:  # tokenizers raises nothing more precise
        raise ModelFileError(f"{file}: no readable tokenizer ({error})") from error


def load_network(folder: Path, adapter: Path | None, quantization: Quantization | None, device: str) -> Any:
    """The causal language model of a folder, with an adapter, on its device and ready to run. Raises ModelFileError."""
    settings: dict[str, Any] = {"local_files_only": True, "dtype": "auto"}
    if adapter is not None:
        require_base(adapter, folder)
    if quantization is not None:
        nf4: dict[str, Any] = {"bnb_4bit_quant_type": "nf4", "bnb_4bit_compute_dtype": torch.bfloat16}
        bits = {"load_in_8bit": True} if quantization == "8bit" else {"load_in_4bit": True, **nf4}
        settings |= {"quantization_config": BitsAndBytesConfig(**bits), "device_map": device}
    transformers_logging.disable_progress_bar()
    try:
        network = AutoModelForCausalLM.from_pretrained(folder, **settings)
        if adapter is not None:
            from peft import PeftModel  # it loads bitsandbytes, which has much to say and takes a second

            network = PeftModel.from_pretrained(network, adapter, local_files_only=True)
    except Exception as error:  # OSError, ValueError, SafetensorError, KeyError: the folder is not a model
        raise ModelFileError(f"{adapter or folder}: cannot be loaded as a model ({error})") from error
    return (network if quantization is not None else network.to(device)).eval()
