"""The rules of a stage, option by option with its clause in words: the preliminary's, and the final's of its own."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.ruleset import PRESETS, Ruleset
from tournament.bridge.rulesets import ruleset_of
from tournament.enums import StageKind
from tournament.errors import Refused, StaleVersion
from tournament.forms.locked_fields import dropped, since_locked
from tournament.forms.setup_final import FinalRulesForm
from tournament.forms.setup_rules import PresetForm, RulesForm
from tournament.models import Event, Stage
from tournament.permissions import for_act
from tournament.queries import setup as queries
from tournament.queries.finalists import final_of
from tournament.services import setup_changes, setup_final
from tournament.views.setup import again, differences, show


@dataclass(frozen=True, slots=True)
class RulesPage:
    """One stage's rules at this moment. `back` is the page that leads here."""

    event: Event
    stage: Stage
    locked: bool
    name: str
    back: str

    @property
    def of_final(self) -> bool:
        """From a final nobody advances."""
        return self.stage.kind == StageKind.FINAL

    def form(self, ruleset: Ruleset, revision: int, data: Any = None) -> RulesForm:
        """The options, filled from these rules."""
        more = {"ruleset": ruleset, "revision": revision, "locked": self.locked}
        if self.of_final:
            return FinalRulesForm(data, **more)
        return RulesForm(data, advance=self.stage.advance, **more)

    def save(self, form: RulesForm, by: Any) -> None:
        """Write what was chosen, if it may be."""
        revision = form.cleaned_data["revision"]
        if not self.of_final:
            wanted = {"ruleset": form.ruleset(), "advance": form.cleaned_data["advance"]}
            setup_changes.change_rules(self.event, revision=revision, by=by, **wanted)
            return
        setup_final.change_final_rules(self.event, revision=revision, ruleset=form.ruleset(), by=by)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_rules(request: HttpRequest) -> HttpResponse:
    """The preliminary's rules, and how many advance. `?base=` starts from another preset."""
    page = preliminary_rules(request.event)
    return rules_page(request, page) if page else redirect("set_up", request.event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_final_rules(request: HttpRequest) -> HttpResponse:
    """The final's rules. `?base=` starts from another preset."""
    page = final_rules(request.event)
    return rules_page(request, page) if page else redirect("final", request.event.slug)


def preliminary_rules(event: Event) -> RulesPage | None:
    """As they stand; None for an event without a stage."""
    stage = queries.first_stage(event)
    if stage is None:
        return None
    return RulesPage(event, stage, queries.progress_of(event).play_begun, "change_rules", "set_up")


def final_rules(event: Event) -> RulesPage | None:
    """As they stand; None where no final was set up."""
    stage = final_of(event)
    if stage is None:
        return None
    locked = queries.progress_of(event, StageKind.FINAL).play_begun
    return RulesPage(event, stage, locked, "change_final_rules", "final")


def rules_page(request: HttpRequest, page: RulesPage) -> HttpResponse:
    """The options with what was refused; saved, back to where one came from."""
    event, refused = page.event, None
    both: list[tuple[str, Any, Any]] = []
    kept = ruleset_of(page.stage)
    asked = request.POST.get("base") or request.GET.get("base") or kept.name
    ruleset = kept if page.locked or asked == kept.name or asked not in PRESETS else PRESETS[asked]
    form = page.form(ruleset, event.revision, request.POST or None)
    if request.method == "POST" and (both := list(dropped(form))):
        refused = since_locked()
    elif request.method == "POST" and form.is_valid():
        try:
            page.save(form, request.user)
        except StaleVersion as stale:
            refused = stale
            page.stage.refresh_from_db()
            both = list(differences(form, page.form(ruleset_of(page.stage), stale.current.revision)))
            form = again(form, stale.current.revision)
        except Refused as why:
            refused = why
        else:
            messages.success(request, _("The rules are saved."))
            return redirect(page.back, event.slug)
    context = {
        "form": form,
        "differences": both,
        "of": page,
        "presets": PresetForm(initial={"base": ruleset.name}, auto_id="preset_%s"),
        "other_preset": ruleset.name != kept.name,
    }
    return show(request, "change_rules", context, refused)


urlpatterns = [
    path("setup/rules/", change_rules, name="change_rules"),
    path("final/rules/", change_final_rules, name="change_final_rules"),
]
