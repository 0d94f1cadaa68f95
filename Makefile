# The two commands of the README are `make chat` and `make test`; the rest is for those who work on Brain.
# Each of them makes the environment first when it is missing or out of date.

PYTHON ?= python3
BIN := .venv/bin
# Extra arguments of the command behind the target: make chat ARGS='--user ann'
ARGS ?=

# Processes that share the tests by files, the long ones first, each with a PostgreSQL of its own; many tests wait, so
# that four suit two cores. Compiled modules are kept, or each of the many processes would compile all packages anew.
WORKERS ?= 4
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

.PHONY: chat serve test test-all dev check lint types notebooks docs wheel licences sbom audit runtime development

chat: runtime
	@$(BIN)/brain chat $(ARGS)

serve: runtime
	@$(BIN)/brain serve $(ARGS)

test: development
	@$(PYTEST) $(ARGS)

# Every combination of every matrix, and many more random examples.
test-all: development
	@$(PYTEST) -m '' --hypothesis-profile exhaustive $(ARGS)

dev: development
	@LANGGRAPH_CLI_NO_ANALYTICS=1 LANGSMITH_TRACING=false $(BIN)/langgraph dev --no-browser --no-reload --n-jobs-per-worker 10 $(ARGS)

check: lint types test

lint: development
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/lint-imports

types: development
	@PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright

# Executes them with the models of .env, or with recorded replies; copies with outputs are left in build/notebooks.
notebooks: development
	@$(BIN)/python -m evals.run_notebooks notebooks/*.ipynb

# The pages of docs/ as a site in build/site; a page that the site does not list, or a section that is not there, is an error.
docs: development
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --root-user-action=ignore -c constraints.txt -e '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The commit at hand as a wheel in dist/, the same bytes whoever builds it.
wheel: development
	@$(BIN)/python .ci/wheel.py dist

licences: development
	@$(BIN)/python .ci/licences.py > LICENCES.md

# Both look into an environment that holds what an installation brings: a bill of materials in CycloneDX's format, and which
# packages have known vulnerabilities (PyPI itself is asked).
QUIETLY := install --quiet --disable-pip-version-check --root-user-action=ignore
SHIPPED := build/shipped/bin/python
sbom: $(SHIPPED)
	@build/supply/bin/cyclonedx-py environment $(SHIPPED) --pyproject pyproject.toml --output-reproducible --of JSON -o build/sbom.json

audit: $(SHIPPED)
	@build/supply/bin/pip-audit --strict --progress-spinner off --path $$($(SHIPPED) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

$(SHIPPED): pyproject.toml constraints.txt
	@$(PYTHON) -m venv --clear build/supply && $(PYTHON) -m venv --clear build/shipped
	@build/supply/bin/python -m pip $(QUIETLY) -c constraints.txt 'cyclonedx-bom>=7.0' 'pip-audit>=2.9'
	@$(SHIPPED) -m pip $(QUIETLY) -c constraints.txt . && touch $@

runtime:
	@$(PYTHON) .ci/environment.py runtime

development:
	@$(PYTHON) .ci/environment.py dev
