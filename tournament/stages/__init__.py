"""From one stage to the next: qualification, podium, award, decisions on ties.

Owns: the cut-off, decisions with witnesses, lots, play-offs, the parent-child award.
Offers: who qualifies, who is on the podium, decisions on ties.
It must never release anything: that is `publication`.
"""

OFFERS = (
    "api.decisions",
    "api.podium",
    "domain.podium",
    "domain.podium_families",
    "domain.qualification",
    "exports",
    "forms.ids_in_address",
    "forms.qualification",
    "services.decisions",
    "services.play_off",
    "services.podium",
    "services.qualification",
    "services.tie_breaks",
    "views.qualification",
)
