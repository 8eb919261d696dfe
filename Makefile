# The commands of the house. `make help` lists them.
PYTHON := .venv/bin/python
STAGE ?=
PORT ?= 8000
SEED ?= 1
ORGANISER ?= organiser
FILE ?=
KIND ?= event

.DEFAULT_GOAL := help
.PHONY: help demo demo-reset lan event restore test reliability words format benchmarks screenshots runtime development

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' Makefile

demo: runtime ## the event on this machine, port 8000: STAGE=imported|seated|weather|playing|results|released|final|awarded  PORT=  SEED=
	@exec $(PYTHON) -m scripts.serve_demo --stage "$(STAGE)" --port "$(PORT)" --seed "$(SEED)"

demo-reset: runtime ## throw the demo's data away and start over
	@exec $(PYTHON) -m scripts.serve_demo --reset --stage "$(STAGE)" --port "$(PORT)" --seed "$(SEED)"

lan: runtime ## the demo over https in the hall's network, port 8443, with a certificate of its own: STAGE=  PORT=
	@exec $(PYTHON) -m scripts.lan --stage "$(STAGE)" --port "$(if $(filter 8000,$(PORT)),8443,$(PORT))" --seed "$(SEED)"

event: runtime ## a real event over https in the hall's network, port 8443, data in var/event: PORT=  ORGANISER=
	@exec $(PYTHON) -m scripts.serve_event --port "$(if $(filter 8000,$(PORT)),8443,$(PORT))" --organiser "$(ORGANISER)"

restore: runtime ## an event on the second laptop, into var/event: FILE=a backup; asks for the sealed key
	@exec $(PYTHON) -m scripts.serve_event --restore "$(FILE)" --kind "$(KIND)"

test: development ## format, lint, types, checks, the suite on SQLite and on PostgreSQL (Debian, as root)
	@$(PYTHON) -m scripts.run_tests

reliability: development ## larger samples of races, crashes and leaks; writes reports/reliability.json
	@$(PYTHON) -m scripts.run_reliability

words: runtime ## compile the Chinese words of every stage
	@$(PYTHON) scripts/compile_words.py

format: development ## put the code in the house's format
	@$(PYTHON) -m ruff format .
	@$(PYTHON) -m ruff check --fix .

benchmarks: development ## figures and ratios
	@$(PYTHON) scripts/run_benchmarks.py

screenshots: development ## the README's pictures, from a demo of their own
	@$(PYTHON) -m scripts.screenshots

runtime:
	@sh scripts/set_up.sh requirements.txt

development:
	@sh scripts/set_up.sh requirements-dev.txt
