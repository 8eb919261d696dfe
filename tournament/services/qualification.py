"""The chief judge's decision of a full tie across the line (R37, R46): who, how and why, never in silence."""

from collections.abc import Sequence

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.decision import Decision, check_decision, draw_lots
from scoring.problems import Refusal
from tournament.bridge.qualification import live_cut
from tournament.bridge.standings import RankedEntrant, entrant_id
from tournament.enums import TieMethod
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.models import AuditHead, Stage, TieDecision
from tournament.services import audit

SHORTEST_NAME = 2


@transaction.atomic
def decide_tie(
    stage: Stage,
    *,
    tied: Sequence[int],
    places: int,
    method: str,
    reason: str,
    by: AbstractUser,
    admitted: Sequence[int] = (),
    witnesses: str = "",
    seed: str = "",
    replaces: int | None = None,
) -> TieDecision:
    """Record who of the tied advance. Entrants by number; `replaces` is the decision in force that its maker has seen.

    `admit_all` needs no `admitted`; `lots` are drawn here from `seed` (scoring.decision.draw_lots), so that
    `admitted` may be left out, and are refused where it says otherwise; `play_off` and `pick` name as many as there
    are places.

    1. The event's audit head is the lock: one decision at a time. 2. The tie must stand as it was shown (412). 3. The
    method's own conditions; the reason is published and names nobody. 4. The same decision in force: it is returned
    and nothing is written; another in force must be the one that is replaced. 5. The row and its audit entry. A
    decision that stands beside others is the one in force when it is the newest for this tie.
    """
    AuditHead.objects.select_for_update().get(event=stage.event_id)
    cut = live_cut(stage)
    if set(tied) != {entrant.number for entrant in cut.tie} or places != cut.tie_places or not tied:
        raise StaleVersion(
            "tie_changed",
            _("The tie has changed since this page was opened: nothing was recorded. Look again and decide anew."),
            about=stage,
            current=cut,
        )
    decision = TieDecision(
        stage=stage,
        tied=sorted(tied),
        places=places,
        admitted=_admitted(tied, places, method, list(admitted), seed),
        method=method,
        reason=_reason(reason, cut.tie),
        witnesses=witnesses.strip(),
        seed=seed if method == TieMethod.LOTS else "",
        by=by,
        at=timezone.now(),
    )
    if method == TieMethod.LOTS and not decision.witnesses:
        raise BadInput("witnesses_missing", _("Lots are drawn before witnesses: write down who they were."))
    standing = cut.decision
    if standing and _says(standing) == _says(decision):
        return standing
    if standing and standing.pk != replaces:
        raise Refused(
            "already_decided", _("This tie has been decided already. Look at that decision before you replace it.")
        )
    decision.save(force_insert=True)
    audit.record(
        stage.event,
        by,
        "decide_tie",
        f"stage {stage.kind}",
        digest=("", digest_of(decision)),
        reason=_line(decision),
        at=decision.at,
    )
    return decision


def digest_of(decision: TieDecision) -> str:
    """Of one decision: who was tied, for how many places, who was admitted how and why; no witness, who is a person."""
    values = (decision.tied, decision.places, decision.admitted, decision.method, decision.reason, decision.seed)
    return audit.digest_of(list(values))


def _admitted(tied: Sequence[int], places: int, method: str, admitted: list[int], seed: str) -> list[int]:
    """The numbers that advance by this method; refuses what decides nothing."""
    numbers = {entrant_id(number): number for number in tied}
    if method == TieMethod.ADMIT_ALL:
        admitted = admitted or sorted(tied)
    if method == TieMethod.LOTS:
        if not seed.strip():
            raise BadInput("seed_missing", _("Lots need a seed that is written down before the draw."))
        drawn = [numbers[entrant] for entrant in draw_lots(list(numbers), places, seed)]
        if admitted and set(admitted) != set(drawn):
            raise BadInput("not_these_lots", _("The lots of this seed fall on others. Leave the choice to the draw."))
        admitted = drawn
    decision = Decision(tuple(numbers), places, tuple(entrant_id(number) for number in admitted))
    try:
        check_decision(decision, all_of_them=method == TieMethod.ADMIT_ALL)
    except Refusal as refusal:
        raise BadInput(
            "wrong_number_admitted",
            _("Chosen of the tied, each once: %(given)s. Places: %(places)s. Choose exactly so many."),
            about=refusal,
            given=len(set(admitted) & set(tied)),
            places=places,
        ) from refusal
    return admitted


def _reason(reason: str, tie: Sequence[RankedEntrant]) -> str:
    """The reason as it will be published: there, and without the name of a child."""
    reason = reason.strip()
    if not reason:
        raise BadInput(
            "reason_missing", _("Write down why it was decided so: the reason is published with the ranking.")
        )
    names = [name for entrant in tie for name in (entrant.name_zh, entrant.name_en) if len(name) >= SHORTEST_NAME]
    if any(name.casefold() in reason.casefold() for name in names):
        raise BadInput("reason_names_somebody", _("The reason is published: write entrant numbers instead of names."))
    return reason


def _says(decision: TieDecision) -> tuple[object, ...]:
    """What two equal decisions have in common."""
    return (
        decision.tied,
        decision.places,
        decision.admitted,
        decision.method,
        decision.reason,
        decision.witnesses,
        decision.seed,
    )


def _line(decision: TieDecision) -> str:
    """The decision for the audit log: numbers, method, reason; witnesses are people and stay out."""
    admitted = " ".join(entrant_id(number) for number in decision.admitted)
    return f"{decision.method}: {admitted} for {decision.places} places. {decision.reason}"[:500]
