# make env     build .venv and nothing else
# make demo    dry, flexible double pendulum, a short time, with figures in runs/demo
# make test    the quick tests, then those marked mpi on two ranks
# make docs    docs/_build/html, without network, warnings are errors
# make verify  every comparison with published numbers (tests/literature), as docs/verification.md
# make test-roundoff  which quick tests hang on round-off: BLAS kernels, perturbed models (an hour)
# make test-attack  kills, damaged files, hostile names, a user's laws, numbers at the ends; with a table
# make test-mutation  whether the tests of forces see a wrong sign, factor or term (an hour or two)
# make package sdist and wheel in dist/, tried in an empty environment
# make bench   every benchmark; those with a table in a page write it there
# make bench-compare [COMMIT=HEAD]  what became slower than a commit
# make test-slow lint format types: the slow tests, ruff, mypy

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RANKS ?= 2
# Processes of the quick tests and of verify; 0 for none but pytest's own.
JOBS ?= 2
PYTEST_ARGS ?=
MUTATION_ARGS ?=

# One BLAS thread a rank unless the user asks otherwise.
OMP_NUM_THREADS ?= 1
export OMP_NUM_THREADS
# Lets mpirun and ffcx of the environment win over those of the system.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: env demo test test-serial test-mpi test-slow test-attack test-roundoff test-mutation docs verify lint \
        format types package bench bench-compare clean
.DEFAULT_GOAL := env

env: $(STAMP)

$(STAMP): pyproject.toml
	@command -v cc >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 || { \
	  echo "make env: no C compiler found (cc or gcc); FEniCSx compiles its forms with it." \
	       "On Debian: apt-get install gcc libc6-dev" >&2; exit 1; }
	@set -e; chosen=; \
	for candidate in $(PYTHON) python3.12 python3 python3.13 python3.14; do \
	  if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1; then \
	    chosen=$$candidate; break; fi; \
	done; \
	if [ -z "$$chosen" ]; then \
	  echo "make env: no Python >= 3.12 found (tried python3.12 and python3); give one with PYTHON=..." >&2; exit 1; fi; \
	if ! $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1; then \
	  echo "building $(VENV) with $$($$chosen --version)"; \
	  $$chosen -m venv --clear $(VENV) || { \
	    echo "make env: $$chosen cannot make a virtual environment (on Debian: apt-get install python3-venv)" >&2; exit 1; }; \
	fi
	@$(BIN)/python -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' || { \
	  echo "make env: Python.h is missing; forms are compiled against it (on Debian: apt-get install python3-dev)" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[wheels,dev,bench,docs,meshes,movies]'
	@touch $@

demo: env
	$(BIN)/fem-clearance run double_pendulum --out runs/demo --t-end 0.1 --force
	$(BIN)/fem-clearance plot runs/demo

test: test-serial test-mpi

# A process that crashes ends the run: a new one in its place is known to wait for ever.
test-serial: env
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --max-worker-restart 0 $(PYTEST_ARGS)

test-mpi: env
	tests/parallel/run.sh $(RANKS) $(PYTEST_ARGS)

test-slow: env
	$(BIN)/python -m pytest -m slow --timeout 3600 $(PYTEST_ARGS)

test-attack: env
	$(BIN)/python -m pytest -m slow --timeout 3600 tests/attack $(PYTEST_ARGS)

test-roundoff: env
	$(BIN)/python tests/roundoff.py -n $(JOBS) --dist loadfile $(PYTEST_ARGS)

# Results are taken up again by the next run; MUTATION_ARGS="--files contact --count 40" and so on.
test-mutation: env
	$(BIN)/python tests/mutation.py $(MUTATION_ARGS)

docs: env
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

# The page is written whether or not all pass; the exit code is that of the tests.
verify: env
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile -m "slow or not slow" \
	  --timeout 3600 tests/literature --report docs/verification.json $(PYTEST_ARGS); code=$$?; \
	$(BIN)/python docs/make_verification.py docs/verification.json docs/verification.md; exit $$code

lint: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: env
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: env
	$(BIN)/mypy

# Needs no .venv: a bare Python >= 3.12 (PYTHON=...) and a C compiler.
package:
	.ci/package $(or $(PYTHON),python3)

# A script whose table stands in a page, between marks with its name, writes it there with a stamp.
bench: env
	@set -e; for script in benchmarks/*.py; do \
	  [ "$$script" != benchmarks/compare.py ] || continue; \
	  mark="<!-- $$(basename "$$script" .py) -->"; \
	  page=$$(grep -lF "$$mark" docs/*.md benchmarks/README.md || true); \
	  [ "$$script" != benchmarks/bench_bearing.py ] || page=; \
	  echo "== $$script"; $(BIN)/python "$$script" $${page:+--page "$$page"}; done

bench-compare: env
	$(BIN)/python benchmarks/compare.py $(COMMIT)

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
