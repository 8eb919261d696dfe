"""Sentences of pages, each with the naive question whether it is true. A sentence is named by its msgid in English."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tests.claims.facts import Facts
from tests.claims.pages import Read
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.people import Entrant, Person
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.releases.models import Release
from tournament.tables.models import Draw, Table
from tournament.weather.models import WeatherDecision, WeatherSignal


@dataclass
class Moment:
    """What is asked of one reading: the event's facts, the page, and what stood at the sentence's blanks."""

    preliminary: Facts
    final: Facts
    page: Read
    said: dict[str, str]

    @property
    def event(self) -> Event:
        return self.preliminary.event

    @property
    def stage(self) -> Facts:
        return (
            self.final if self.page.name.split("/")[0] in ("podium", "award", "final_standings") else self.preliminary
        )

    @property
    def number(self) -> int:
        """The last of the page's address."""
        return int(self.page.name.rsplit("/", 1)[-1])

    def int(self, name: str) -> int:
        return int(self.said[name].replace(",", ""))

    @property
    def session(self) -> Session:
        return Session.objects.get(stage__event=self.event, number=int(self.page.name.split("/")[1]))

    @property
    def table(self) -> Table:
        _, session, table = self.page.name.split("/")
        return Table.objects.get(session__stage__event=self.event, session__number=int(session), number=int(table))


Truth = Callable[[Moment], bool]


@dataclass(frozen=True)
class Claim:
    """A sentence (`msgid`), on pages whose name matches `pages`, and its truth."""

    msgid: str
    truth: Truth
    pages: str = ""
    before: str = ""

    @property
    def pattern(self) -> re.Pattern[str]:
        """The sentence with its blanks, which are numbers; `before`: what stands in front of it, where it is short."""
        parts = re.split(r"%\((\w+)\)[sd]", " ".join(self.msgid.split()))
        words = [f"(?P<{part}>[0-9,]+)" if place % 2 else re.escape(part) for place, part in enumerate(parts)]
        return re.compile(self.before + "".join(words))


def is_settled(facts: Facts) -> bool:
    """All that a release waits for is there."""
    return facts.is_finished and not (facts.unstamped or facts.held)


def is_settled_with(moment: Moment) -> bool:
    facts = moment.stage
    cut = min(facts.stage.advance or 0, len(facts.ranking)) if facts.stage else 0
    return is_settled(facts) and (moment.int("ranked"), moment.int("advancing")) == (len(facts.ranking), cut)


def final_is_settled(moment: Moment) -> bool:
    return is_settled(moment.final) and moment.int("ranked") == len(moment.final.ranking)


def is_counted_as_said(moment: Moment) -> bool:
    """Of the final, where all its tables are seated, or of the preliminary."""
    facts = [one for one in (moment.preliminary, moment.final) if one.stage]
    said = (moment.int("locked"), moment.int("tables"))
    return said in [(len(one.counted), len(one.tables)) for one in facts]


def is_in_as_it_stands(moment: Moment) -> bool:
    facts = moment.preliminary
    places, mine = facts.stage.advance if facts.stage else 0, facts.ranks.get(moment.number)
    if mine is None:
        return False
    better = sum(rank < mine for rank in facts.ranks.values())
    equal = sum(rank == mine for rank in facts.ranks.values())
    still = len(facts.unplayed)
    said = (moment.int("better"), moment.int("equal"), moment.int("still"))
    return said == (better, equal, still) and better + equal + still <= (places or 0)


def is_out_as_it_stands(moment: Moment) -> bool:
    facts = moment.preliminary
    places, mine = facts.stage.advance if facts.stage else 0, facts.ranks.get(moment.number)
    better = sum(rank < (mine or 0) for rank in facts.ranks.values())
    return mine is not None and moment.int("better") == better >= (places or 0)


def says_all(moment: Moment) -> bool:
    number = moment.int("number")
    return any(one.release and one.release.number == number and one.is_as_released for one in stages(moment))


def stages(moment: Moment) -> list[Facts]:
    return [one for one in (moment.preliminary, moment.final) if one.stage]


def nothing_waits(moment: Moment) -> bool:
    """No kind of thing that a person has to do is there."""
    for facts in stages(moment):
        if facts.held or facts.disputed or facts.unstamped or (facts.release and not facts.is_as_released):
            return False
        if facts.is_finished and facts.release is None:
            return False
    return not called_without_link(moment)


def called_without_link(moment: Moment) -> list[int]:
    """Who holds a place by the release that stands, has not answered, and has no link in force."""
    release = moment.preliminary.release
    if release is None or (moment.final.stage and moment.final.stage.frozen_at):
        return []
    linked = set(
        Invitation.objects.filter(entrant__event=moment.event, revoked_at=None).values_list(
            "entrant__number", flat=True
        )
    )
    holders = [one["number"] for one in release.content["ranking"] if one["advancing"]]
    return [number for number in holders if linked and number not in linked and not moment.preliminary.answer(number)]


def named_have_agreed(moment: Moment) -> bool:
    """Nobody whose full name stands there says no."""
    people = Person.objects.filter(entrant__event=moment.event, consent_name=False)
    return not [one for one in people if one.name_zh and one.name_zh in moment.page.text]


def is_the_newest(moment: Moment) -> bool:
    """Public pages of a release under its own number: not withdrawn."""
    number = int(moment.page.name.split("/")[1])
    return Release.objects.get(stage__event=moment.event, number=number).withdrawn_at is None


def counts_live(moment: Moment) -> bool:
    table = moment.table
    return table.session.state != "void" and moment.preliminary.counting(table) is not None


def every_sheet_stamped(moment: Moment) -> bool:
    facts = moment.preliminary
    tables = list(Table.objects.filter(session=moment.session))
    sheets = [facts.counting(table) for table in tables if not facts.is_decided_void(table)]
    return bool(tables) and all(sheet and facts.is_stamped(sheet) for sheet in sheets)


def papers_match(moment: Moment) -> bool:
    facts = moment.preliminary
    begun = [one for one in facts.sessions if Draw.objects.filter(session=one, confirmed_at__isnull=False).exists()]
    printed = [one for one in begun if one.prints.exists()]
    return not [one for one in printed if facts.names_on_paper_differ(one)]


def nobody_waits_in(mailing: Mailing) -> bool:
    return not mailing.deliveries.filter(state__in=("waiting", "sending")).exists()


def subject_in_force(mailing: Mailing) -> bool:
    """Of results: the release is not withdrawn, and the newest of its stage."""
    if mailing.kind == "results":
        number = int(mailing.subject.split()[1])
        told = Release.objects.get(stage__event=mailing.event, number=number)
        newest = Release.objects.filter(stage=told.stage).order_by("number").last()
        return newest == told and told.withdrawn_at is None
    return True


def being_sent(moment: Moment) -> bool:
    return subject_in_force(Mailing.objects.get(pk=moment.number))


def every_mail_stays_with_its_server(moment: Moment) -> bool:
    rows = Mailing.objects.get(pk=moment.number).deliveries.values_list("state", "bounce")
    return all(state == "sent" and bounce != "hard" for state, bounce in rows)


def as_many_came_back(moment: Moment) -> bool:
    rows = Mailing.objects.get(pk=moment.number).deliveries.filter(state="sent", bounce="hard")
    return rows.count() == moment.int("many")


def is_through(moment: Moment) -> bool:
    """Of a mail that waits: the release that it is about is in force and has its reader above the line."""
    mail = Delivery.objects.select_related("mailing", "entrant").get(pk=moment.number)
    number = int(mail.mailing.subject.split()[1])
    ranking = Release.objects.get(stage__event=moment.event, number=number).content["ranking"]
    above = {line["number"] for line in ranking if line["advancing"]}
    return subject_in_force(mail.mailing) and mail.entrant.number in above


def nobody_to_telephone(moment: Moment) -> bool:
    """Of the results that are in force: nobody's newest mail about them came back."""
    release = moment.preliminary.release
    mails = Delivery.objects.filter(
        mailing__event=moment.event, mailing__subject=f"release {release.number}" if release else ""
    )
    newest = {one.entrant_id: one for one in mails.order_by("pk")}
    return not any(one.bounce == "hard" for one in newest.values())


def banner_is_up(moment: Moment) -> bool:
    row = Notice.objects.get(pk=moment.number)
    return row.banner and row.banner_down_at is None


def is_told_as_said(moment: Moment) -> bool:
    number = Notice.objects.get(pk=moment.number).number
    return moment.int("told") <= moment.preliminary.mails_taken(f"notice {number}")


def has_signed_games(moment: Moment) -> bool:
    facts = moment.preliminary
    return bool(facts.results.get(moment.number))


CLAIMS = (
    Claim("Nothing is missing for a release: %(ranked)s entrants are ranked, %(advancing)s advance.", is_settled_with),
    Claim(
        "Nothing is missing for a release: %(ranked)s finalists are ranked, the podium and the award are decided.",
        final_is_settled,
    ),
    Claim("complete", lambda moment: moment.preliminary.is_finished, "^overview$", before="Ranking "),
    Claim("settled", lambda moment: is_settled(moment.preliminary), "^overview$", before="Cut "),
    Claim("settled", lambda moment: is_settled(moment.preliminary), "^qualification$", before="counted "),
    Claim("settled", lambda moment: is_settled(moment.final), "^overview$", before="Podium and award "),
    Claim("%(locked)s of %(tables)s scoresheets counted", is_counted_as_said),
    Claim(
        "%(better)s better, %(equal)s equal and %(still)s unfinished are together no more than the %(places)s places: "
        "no scoresheet that is still to come changes it.",
        is_in_as_it_stands,
        "^standing/",
    ),
    Claim(
        "%(better)s finished entrants are better, and there are %(places)s places: no scoresheet that is still to come "
        "changes it.",
        is_out_as_it_stands,
        "^standing/",
    ),
    Claim("Release no. %(number)s says all that there is.", says_all),
    Claim(
        "Looked at: calls, entrants, seats, scoresheets, ties, releases, the final, weather, notices, erasure, disk. "
        "Nothing of it waits for a person, as far as this account may see.",
        nothing_waits,
    ),
    Claim("Only those who agreed to it are named in full.", named_have_agreed),
    Claim("It counts in the live ranking. A release needs the stamp.", counts_live, "^scoresheet/"),
    Claim(
        "All scoresheets of this session are stamped or void: it has been played, so its clock is not started, "
        "suspended or resumed.",
        every_sheet_stamped,
        "^session_clock/",
    ),
    Claim("Every paper is printed as its table stands.", papers_match),
    Claim(
        "All that tablets have brought was recorded or is settled.",
        lambda moment: not any(one.held for one in stages(moment)),
    ),
    Claim("Nothing is disputed.", lambda moment: not any(one.disputed for one in stages(moment))),
    Claim("Nothing was mailed yet", lambda moment: not Mailing.objects.filter(event=moment.event).exists()),
    Claim(
        "There is no private link to mail now. They are made on the finalists' page, once results are released.",
        lambda moment: moment.preliminary.release is None or not links_in_force(moment),
    ),
    Claim(
        "There is no final yet. Set it up first; then the list can be fixed.", lambda moment: moment.final.stage is None
    ),
    Claim("The list of finalists is fixed", lambda moment: bool(moment.final.stage and moment.final.stage.frozen_at)),
    Claim("All are taking part.", lambda moment: not Entrant.objects.filter(event=moment.event).exclude(status="ok")),
    Claim("No results are published at the moment", lambda moment: not any(one.release for one in stages(moment))),
    Claim("You have a place in the final", lambda moment: moment.preliminary.release is not None, "^place/"),
    Claim(
        "You have accepted: you play the final",
        lambda moment: moment.preliminary.answer(moment.number) == "accepted",
        "^place/",
    ),
    Claim("You are on the list of finalists", lambda moment: is_listed(moment, True), "^place/"),
    Claim("The list of finalists is fixed, and you are not on it", lambda moment: is_listed(moment, False), "^place/"),
    Claim("This entrant has games on a signed scoresheet.", has_signed_games, "^entrant/"),
    Claim("being sent", being_sent, "^mailing/"),
    Claim("mail %(told)s of %(of)s", is_told_as_said, "^notice/"),
    Claim("The mail server has taken all mails.", every_mail_stays_with_its_server, "^mailing/"),
    Claim("The mail server took all mails; %(many)s came back.", as_many_came_back, "^mailing/"),
    Claim("You are through to the final.", is_through, "^mail/"),
    Claim("Nobody is on this list", nobody_to_telephone, "^telephone_list$"),
    Claim("backed up", lambda moment: moment.preliminary.has_whole_backup, "^backup$", before="If the laptop dies "),
    Claim("up", banner_is_up, "^notice/", before="Banner "),
    Claim("No signal was known.", lambda moment: not WeatherSignal.objects.filter(event=moment.event).exists()),
    Claim(
        "Nothing was decided",
        lambda moment: not WeatherDecision.objects.filter(event=moment.event).exists(),
        "^weather",
    ),
    Claim("Nothing is released: there are no places of the final.", lambda moment: moment.preliminary.release is None),
    Claim(
        "Everyone who holds a place has a link.", lambda moment: not called_without_link(moment), "^(finalists|places)$"
    ),
    Claim("Nobody is entered yet.", lambda moment: not Entrant.objects.filter(event=moment.event).exists()),
    Claim(
        "All scoresheets are official; nothing is released.",
        lambda moment: not moment.preliminary.unstamped and moment.preliminary.release is None,
    ),
)


def links_in_force(moment: Moment) -> bool:
    return Invitation.objects.filter(entrant__event=moment.event, revoked_at=None).exists()


def is_listed(moment: Moment, listed: bool) -> bool:
    stage = moment.final.stage
    found = bool(stage and stage.frozen_at and moment.number in {one.number for one in moment.final.entrants})
    return found is listed and bool(stage and stage.frozen_at)


def claims_on(event: Event, pages: Iterable[Read]) -> Iterator[tuple[str, str]]:
    """Each sentence that is found on these pages, with "" where it is true now, else with its page and its words."""
    preliminary, final = Facts(event, "preliminary"), Facts(event, "final")
    for page in pages:
        for claim in CLAIMS:
            if re.search(claim.pages, page.name):
                for match in claim.pattern.finditer(page.text):
                    true = claim.truth(Moment(preliminary, final, page, match.groupdict()))
                    yield claim.msgid, "" if true else f"{page.name}: {match.group().strip()}"
