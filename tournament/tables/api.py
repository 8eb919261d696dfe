"""What addresses about one session share, and a seat as the API answers it."""

from typing import Any

from rest_framework import serializers

from tournament.api.errors import found_or_404
from tournament.api.viewsets import EventViewSet
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session
from tournament.events.queries import find_session_for_seating

API_SEAT_LETTERS = [(letter, letter) for letter in "ABCD"]


class SessionViewSet(EventViewSet):
    """Of one session of the event, of whichever stage."""

    def get_object(self) -> Session:
        return found_or_404(find_session_for_seating(self.event, self.kwargs["session"]))


class SeatAnswer(serializers.Serializer[Any]):
    letter = serializers.ChoiceField(choices=API_SEAT_LETTERS)
    entrant = serializers.IntegerField(source="entrant.number")
    status = serializers.ChoiceField(choices=EntrantStatus.choices, source="entrant.status")
