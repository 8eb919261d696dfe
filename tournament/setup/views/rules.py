"""The rules of a stage, option by option with its clause in words: the first one's, and of each later one its own."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.ruleset import PRESETS, Ruleset, read_ruleset
from tournament.core.errors import Refused, StaleVersion
from tournament.core.form_keys import mark_not_acted
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.core.permissions import EventRequest, for_act
from tournament.events.domain import ruleset_of_stage
from tournament.events.forms import dropped_values, locked_meanwhile_refusal
from tournament.events.queries import final_of
from tournament.publication.services.files import public_event
from tournament.publication.services.rules_files import preview_of_rules
from tournament.setup import queries
from tournament.setup.forms.later_stage import StageRulesForm
from tournament.setup.forms.rules import PresetForm, RulesForm
from tournament.setup.services import changes, later_stage
from tournament.setup.views.setup import render_setup_page, repost_form, setup_form_differences


@dataclass(frozen=True, slots=True)
class RulesPage:
    """One stage's rules at this moment. `here` is the page's address, `back` of the one that leads to it."""

    event: Event
    stage: Stage
    locked: bool
    here: str
    back: str

    def form(self, ruleset: Ruleset, revision: int, data: Any = None) -> RulesForm:
        """The options, filled from these rules."""
        more: dict[str, Any] = {"ruleset": ruleset, "revision": revision, "locked": self.locked}
        if self.stage.is_first:
            more |= {"ends": self.stage.is_last, "in_rounds": self.stage.rounds > 1}
            return RulesForm(data, advance=self.stage.advance, **more)
        return StageRulesForm(data, **more)

    def save(self, form: RulesForm, by: Any) -> None:
        """Write what was chosen, if it may be."""
        wanted = {"revision": form.cleaned_data["revision"], "ruleset": form.ruleset()}
        if self.stage.is_first:
            shape = {name: form.cleaned_data[name] for name in ("advance", "ends", "in_rounds")}
            changes.change_rules(self.event, by=by, **shape, **wanted)
        else:
            later_stage.change_stage_rules(self.event, self.stage.kind, by=by, **wanted)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_rules_page(request: EventRequest) -> HttpResponse:
    """The preliminary's rules, and how many advance. `?base=` starts from another preset."""
    page = preliminary_rules(request.event)
    return rules_page(request, page) if page else redirect("set_up", request.event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_final_rules_page(request: EventRequest) -> HttpResponse:
    """The last stage's rules. `?base=` starts from another preset."""
    final = final_of(request.event)
    if final is None:
        return mark_not_acted(redirect("final", request.event.slug))
    return rules_page(request, later_stage_rules(request.event, final))


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_stage_rules_page(request: EventRequest) -> HttpResponse:
    """A later stage's rules; those of the first one are set up with the event. `?base=` starts from another preset."""
    if request.stage is None or request.stage.is_first:
        return mark_not_acted(redirect("change_rules", request.event.slug))
    return rules_page(request, later_stage_rules(request.event, request.stage))


def preliminary_rules(event: Event) -> RulesPage | None:
    """As they stand; None for an event without a stage."""
    stage = queries.first_stage(event)
    if stage is None:
        return None
    here, back = (reverse(name, args=[event.slug]) for name in ("change_rules", "set_up"))
    return RulesPage(event, stage, queries.setup_progress_of(event).play_begun, here, back)


def later_stage_rules(event: Event, stage: Stage) -> RulesPage:
    """Those of a stage after the first, as they stand."""
    here = reverse("change_stage_rules", args=[event.slug, stage.kind])
    locked, back = queries.has_begun(stage), stage_back_address(event, not stage.is_last)
    return RulesPage(event, stage, locked, here, back)


def stage_back_address(event: Event, is_between: bool) -> str:
    """The page that leads to those which set up a later stage."""
    return reverse("set_up" if is_between else "final", args=[event.slug])


def rules_page(request: HttpRequest, page: RulesPage) -> HttpResponse:
    """The options with what was refused; saved, back to where one came from."""
    event = page.event
    refused: Refused | None = None
    both: list[tuple[str, Any, Any]] = []
    kept = ruleset_of_stage(page.stage)
    asked = request.POST.get("base") or request.GET.get("base") or kept.name
    ruleset = kept if page.locked or asked == kept.name or asked not in PRESETS else PRESETS[asked]
    form = page.form(ruleset, event.revision, request.POST or None)
    if request.method == "POST" and (both := list(dropped_values(form))):
        refused = locked_meanwhile_refusal()
    elif request.method == "POST" and form.is_valid() and "preview" in request.POST:
        wanted = read_ruleset(form.ruleset())
        return mark_not_acted(HttpResponse(preview_of_rules(event, public_event(event), page.stage.kind, wanted)))
    elif request.method == "POST" and form.is_valid():
        try:
            page.save(form, request.user)
        except StaleVersion as stale:
            refused = stale
            page.stage.refresh_from_db()
            both = list(setup_form_differences(form, page.form(ruleset_of_stage(page.stage), stale.current.revision)))
            form = repost_form(form, stale.current.revision)
        except Refused as why:
            refused = why
        else:
            messages.success(request, _("The rules are saved."))
            return redirect(page.back)
    context = {
        "form": form,
        "differences": both,
        "of": page,
        "presets": PresetForm(initial={"base": ruleset.name}, auto_id="preset_%s"),
        "other_preset": ruleset.name != kept.name,
    }
    return render_setup_page(request, "change_rules", context, refused)


urlpatterns = [
    path("setup/rules/", change_rules_page, name="change_rules"),
    path("final/rules/", change_final_rules_page, name="change_final_rules"),
]
