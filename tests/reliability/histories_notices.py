"""What random histories tell to all: notices drafted, changed, put aside, published, corrected, banners taken down."""

from random import Random

from django.contrib.auth.models import User

from tests.mail.noticed import drafted, told, wording
from tournament.core.models.stage import Session
from tournament.mail.services import notices
from tournament.messages.models import Notice
from tournament.tables.models import Table

ACTS = ("tell", "tell", "draft", "put_aside", "take_down")


class NoticeActs:
    """The acts, for a history that has its accounts, its session and its dice."""

    people: dict[str, User]
    random: Random
    session: Session

    def tell(self, table: Table) -> None:
        event = self.session.stage.event
        published = list(Notice.objects.filter(event=event, number__isnull=False).order_by("number"))
        corrects = self.random.choice([None, *published])
        told(event, self.people["organiser"], corrects=corrects, banner=self.random.random() < 0.8)

    def draft(self, table: Table) -> None:
        made = drafted(self.session.stage.event, self.people["organiser"])
        notices.change_notice(made, wording(title_zh="改過"), revision=1, by=self.people["organiser2"])

    def put_aside(self, table: Table) -> None:
        for one in Notice.objects.filter(number=None, discarded_at=None).order_by("pk")[:1]:
            notices.discard_notice(one, revision=one.revision, by=self.people["organiser"])

    def take_down(self, table: Table) -> None:
        for one in Notice.objects.filter(number__isnull=False).order_by("number"):
            notices.take_down_banner(one, by=self.people["organiser2"])
