# The commands of the house. `make help` lists them.
PYTHON := .venv/bin/python
STAGE ?=
PORT ?=
SEED ?=
EVENT ?=
# Other programs set HOST in the environment, and mean something else.
ifeq ($(origin HOST),environment)
HOST =
endif
ORGANISER ?= organiser
FILE ?=
KIND ?= event
MESSAGES := --no-location --no-wrap --no-obsolete -i var

TYPED = --host "$(HOST)" --port "$(PORT)" --stage "$(STAGE)" --seed "$(SEED)" --event "$(EVENT)"

.DEFAULT_GOAL := help
.PHONY: help demo demo-reset lan event restore check test reliability mutations words format figures third-party benchmarks screenshots runtime development

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' Makefile

demo: FOR = demo
demo: runtime ## the event on this machine, port 8000: EVENT=hk-2026|twist|school|word|french  STAGE=imported|seated|weather|playing|results|released|final|awarded  PORT=  SEED=  HOST=
	@exec $(PYTHON) -m scripts.serve_demo $(TYPED)

demo-reset: FOR = demo-reset
demo-reset: runtime ## throw the demo's data away and start over
	@exec $(PYTHON) -m scripts.serve_demo --reset $(TYPED)

lan: FOR = lan
lan: runtime ## the demo over https in the hall's network, port 8443, with a certificate of its own: EVENT=  STAGE=  PORT=
	@exec $(PYTHON) -m scripts.lan $(TYPED)

event: FOR = event
event: runtime ## a real event over https in the hall's network, port 8443, data in var/event: PORT=  ORGANISER=
	@exec $(PYTHON) -m scripts.serve_event $(TYPED) --organiser "$(ORGANISER)"

restore: runtime ## an event on the second laptop, into var/event: FILE=a backup; asks for the sealed key
	@exec $(PYTHON) -m scripts.serve_event --restore "$(FILE)" --kind "$(KIND)"

check: development ## format, lint, types, words, migrations, the rules of the game and of the house: under a minute
	@$(PYTHON) -m scripts.check_steps

test: development ## format, lint, types, checks, the suite on SQLite and on PostgreSQL (Debian, as root)
	@$(PYTHON) -m scripts.run_tests

reliability: development ## larger samples of races, crashes and leaks; writes reports/reliability.json
	@$(PYTHON) -m scripts.run_reliability

mutations: development ## which mutants of the rules, triggers and permissions no test notices; writes reports/mutations.json: AREAS=  SCALE=
	@$(PYTHON) -m scripts.run_mutations

words: runtime ## the catalogues brought up to date with the code, and compiled (apt-get install gettext)
	@$(PYTHON) manage.py makemessages -v 0 -l zh_Hant $(MESSAGES) -i tests -i scripts
	@$(PYTHON) manage.py makemessages -v 0 -l zh_Hant $(MESSAGES) -i tests -i vendor -d djangojs
	@sed -i '/^"POT-Creation-Date/d' tournament/locale/zh_Hant/LC_MESSAGES/*.po # or each run would change a line
	@$(PYTHON) manage.py compilemessages -v 0 -l zh_Hant -i .venv

format: development ## put the code and the templates in the house's format
	@$(PYTHON) -m ruff format .
	@$(PYTHON) -m ruff check --fix .
	@$(PYTHON) -m scripts.format_templates

figures: development ## what can be counted about the tree: names, docstrings, complexity, sizes, two-way imports
	@$(PYTHON) scripts/house_figures.py

third-party: development ## THIRD_PARTY.md made again from what is installed and vendored
	@$(PYTHON) -m scripts.third_party

benchmarks: development ## figures and ratios
	@$(PYTHON) scripts/run_benchmarks.py

screenshots: development ## the README's pictures, from a demo of their own
	@$(PYTHON) -m scripts.screenshots

runtime:
	@sh scripts/set_up.sh requirements.txt $(if $(FOR),--target $(FOR) $(TYPED))

development:
	@sh scripts/set_up.sh requirements-dev.txt
