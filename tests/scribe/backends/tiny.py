"""A Llama with random weights and a tokenizer like Llama 3's or SmolLM2's, small enough to be made for a test run."""

from pathlib import Path
from typing import Literal

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM

from finetune.export.tokenizer_gguf import LLAMA3_SPLIT

Kind = Literal["llama3", "smollm2"]
SPECIAL: dict[Kind, tuple[str, ...]] = {
    "llama3": ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|end_of_text|>"),
    "smollm2": ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<repo_name>"),
}
END_OF_TURN: dict[Kind, int] = {"llama3": 3, "smollm2": 2}

SENTENCES = (
    "You are Scribe and help one student with a feedback report. Tools: map_week_to_topic, textbook_search.",
    "[REASONING] The student asks about week 3, so I look up its topic. [END_OF_REASONING]",
    '[TOOL_CALL]{"name": "map_week_to_topic", "arguments": {"week": 3}}[END_OF_TOOL_CALL]',
    '[FINAL_ANSWER]In week 3 you watched 12 videos; the topic is "sampling".[END_OF_FINAL_ANSWER]',
    "What should I do next? I don't get the discrete Fourier transform, nor x[n] = cos(2n).",
    "system user assistant ipython\n\n[ERROR_NOTICE]The turn has neither.[/ERROR_NOTICE]\n",
)


def make_model(
    folder: Path, tied: bool = True, seed: int = 0, kind: Kind = "llama3", tokenizer: Tokenizer | None = None
) -> Path:
    """A model folder: 2 layers, width 64, 4 heads on 2 key-value heads, about 600 tokens if no tokenizer is given."""
    folder.mkdir(parents=True)
    tokenizer = tokenizer or make_tokenizer(kind)
    tokenizer.save(str(folder / "tokenizer.json"))
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=8192,
        rope_parameters={"rope_type": "default", "rope_theta": 500_000.0},
        rms_norm_eps=1e-5,
        tie_word_embeddings=tied,
        initializer_range=0.2,  # wide enough for logits that differ
        bos_token_id=0,
        eos_token_id=END_OF_TURN[kind],
    )
    model = LlamaForCausalLM(config)
    with torch.no_grad():  # control tokens are so unlikely that no greedy turn ends by chance
        for table in (model.model.embed_tokens, model.lm_head):
            table.weight[: len(SPECIAL[kind])].mul_(0.01)
    model.save_pretrained(folder)
    return folder


def make_tokenizer(kind: Kind = "llama3") -> Tokenizer:
    """Byte-level BPE that splits text as Llama 3 or SmolLM2 does."""
    tokenizer = Tokenizer(models.BPE(ignore_merges=kind == "llama3"))
    split = {
        "llama3": [
            pre_tokenizers.Split(Regex(LLAMA3_SPLIT), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ],
        "smollm2": [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ],
    }
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(split[kind])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=list(SPECIAL[kind]),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(SENTENCES * 3, trainer)
    return tokenizer
