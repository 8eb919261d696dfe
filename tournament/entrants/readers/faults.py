"""One fault of a file: where it stands, what the cell says, what is wrong and what to do, in both languages.

Codes are stable: the list to download and the tests know them. `weight`: `mend` must be changed in the file, `decide`
waits for an organiser, `left_out` and `note` are told and stop nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

FaultSeverity = Literal["mend", "decide", "left_out", "note"]

FAULT_ERROR: FaultSeverity = "mend"
FAULT_DECIDE: FaultSeverity = "decide"
FAULT_LEFT_OUT: FaultSeverity = "left_out"
FAULT_NOTE: FaultSeverity = "note"
INFORMATIVE_SEVERITIES = frozenset({FAULT_LEFT_OUT, FAULT_NOTE})

# code: (what is wrong, what to do)
FAULT_SENTENCES: dict[str, tuple[str, str]] = {
    # the table as a whole
    "no_rows": (_("Below the column names there is no row."), _("Enter one entrant a row.")),
    "column_missing": (_('The file has no column "%(column)s".'), _("Add the column; the template has it.")),
    "column_twice": (_('Two columns are both read as "%(column)s".'), _("Delete or rename one of them.")),
    "column_unknown": (
        _("This column is not known and is left out."),
        _("Nothing to do, unless its name is misspelt."),
    ),
    "column_identity": (
        _("Identity-card numbers are not accepted; not one character is kept."),
        _("Nothing to do here; please delete the column in your own file."),
    ),
    # one cell
    "looks_like_identity_number": (
        _("This looks like an identity-card number. It was not kept."),
        _(
            "Delete it from the file; age is checked by looking at the document. A receipt of a letter and six digits "
            "looks the same: leave the letter out."
        ),
    ),
    "forbidden_character": (
        _("It holds a character that cannot be printed (%(character)s)."),
        _("Delete the cell and type it again."),
    ),
    "too_long": (_("%(length)s characters; at most %(most)s fit."), _("Shorten it.")),
    "number_unreadable": (
        _("The entrant number is not a whole number from 1 to 9999."),
        _("Type for example 0302, the column formatted as text; or leave it blank and a number is given."),
    ),
    "name_en_missing": (
        _("The English name must be filled in."),
        _("Surname first in capitals, for example CHAN Tai Man."),
    ),
    "name_en_not_latin": (
        _("The English name has no Latin letter."),
        _("Surname first in capitals, for example CHAN Tai Man."),
    ),
    "name_lost_in_big5": (
        _("The file lost a character when it was saved (Big5 does not have it)."),
        _("Type the character here, or save the list again as xlsx."),
    ),
    "name_question_mark": (
        _("A name has no question mark; a character was probably lost."),
        _("Type the character here, or in the file."),
    ),
    "name_spreadsheet_error": (
        _("This is a spreadsheet's error value or formula, not a name."),
        _("Type the name here, or in the file."),
    ),
    "name_without_letter": (_("There is no letter in it."), _("Type the name here, or leave the cell blank.")),
    "name_en_ideographs": (
        _("The English name holds Chinese characters; perhaps both names stand in one cell."),
        _("Put the Chinese characters under the Chinese name and the rest under the English name."),
    ),
    "name_zh_letters": (
        _("The Chinese name holds letters of an alphabet."),
        _("Leave only the Chinese characters; if the name is really written so, an organiser accepts it."),
    ),
    "name_without_glyph": (
        _("Printed papers cannot show %(characters)s."),
        _("If the name is really written so, accept it: papers then print the other name, or the number."),
    ),
    "name_layout": (
        _("Spaces or unseen characters stand inside the Chinese name."),
        _("Nothing to do: it is kept as typed, and found, compared and shown in public without them."),
    ),
    "text_lost_in_big5": (
        _("The file probably lost a character when it was saved (Big5 does not have it)."),
        _("Type the text here, or save the list again as xlsx; accept it if the question mark belongs there."),
    ),
    "birth_date_missing": (_("The date of birth must be filled in."), _("For example 2016-02-28 or 28/2/2016.")),
    "date_unreadable": (_("This is not a date."), _("Write a real date, for example 2016-02-28 or 28/2/2016.")),
    "date_no_such_month": (
        _("There is no month %(month)s; the day stands before the month."),
        _("Write a real date, for example 2016-02-28 or 28/2/2016."),
    ),
    "date_no_such_month_first": (
        _("There is no month %(month)s; the dates of this column are read with the month before the day."),
        _("Write a real date, for example 2016-02-28."),
    ),
    "dates_either_way": (
        _("Day or month first? No date of this column tells. Dates that can be read both ways: %(count)s."),
        _("Answer once for the whole column."),
    ),
    "dates_month_first": (
        _(
            "Is the month first in this column? By row number, can only be read so: %(months)s. Others, readable both "
            "ways: %(count)s."
        ),
        _("Answer once for the whole column."),
    ),
    "dates_contradict": (
        _(
            "The dates of this column contradict each other. By row number, day first: %(days)s; month first: "
            "%(months)s. Others, readable both ways: %(count)s."
        ),
        _("Answer once for the whole column, then mend the rows that do not fit."),
    ),
    "dates_perhaps_swapped": (
        _(
            "A spreadsheet may have swapped day and month: every date that it knows as one has a day up to 12 (rows "
            "%(swapped)s), every date that stayed text a day above (rows %(days)s)."
        ),
        _(
            "Compare some dates as read below with the entry forms. Where they are right, answer that the day is "
            "first; else send the list again as CSV, or with that column as text."
        ),
    ),
    "date_no_such_day": (
        _("Month %(month)s has no day %(day)s."),
        _("Write a real date, for example 2016-02-28 or 28/2/2016."),
    ),
    "date_not_a_leap_year": (
        _("In %(year)s February has no day 29."),
        _("Write a real date, for example 2016-02-28 or 28/2/2016."),
    ),
    "birth_date_ahead": (_("The date of birth is after the day of the session."), _("Correct the date of birth.")),
    "birth_date_too_old": (_("Born %(years)s years before the session."), _("Correct the date of birth.")),
    "session_missing": (_("The session must be filled in."), _("For example %(example)s.")),
    "session_unreadable": (
        _("This names no session."),
        _("Write for example %(example)s, or a number from 1 to %(last)s."),
    ),
    "session_without_day": (_("The day is missing; there are several days."), _("Write for example %(example)s.")),
    "session_no_such_day": (_("There is no session on that day."), _("The days are %(days)s.")),
    "session_no_such_number": (
        _("Each day has %(count)s sessions only."),
        _("Write a day and a session from 1 to %(count)s, for example %(example)s."),
    ),
    "session_under_way": (_("Session %(session)s has already begun or is void."), _("Choose a later session.")),
    "phone_not_hong_kong": (
        _("A Hong Kong number has 8 digits and begins with 2 to 9."),
        _("Complete the number; numbers of other places begin with +."),
    ),
    "phone_not_international": (
        _("After + stand 7 to 15 digits, beginning with the country."),
        _("Complete the number."),
    ),
    "phone_as_fraction": (
        _("The cell holds a number with a decimal point."),
        _("Format the column as text and type it again."),
    ),
    "email_unreadable": (
        _("This is not an e-mail address."),
        _("Correct it, for example name@example.com, or leave it blank."),
    ),
    "language_unreadable": (
        _("The language is neither Chinese nor English."),
        _("Write 中文 or English, or leave it blank."),
    ),
    "family_role_unreadable": (_("The role is neither child nor parent."), _("Write 子女 or 家長 (child or parent).")),
    "answer_unreadable": (_("This is neither yes nor no."), _("Write 是 or 否 (Y or N); blank is no.")),
    # one person
    "too_young": (
        _("Only %(age)s years old on %(day)s; the birthday of %(least)s must lie before that day."),
        _("Delete the row; the rules admit nobody younger."),
    ),
    "birthday_on_the_day": (
        _("The day of the session is the very birthday of %(age)s; the rules do not say."),
        _("An organiser decides, and the decision is recorded."),
    ),
    "left_out_by_decision": (_("An organiser left this row out."), _("Nothing to do; the answer can be taken back.")),
    "guardian_consent_missing": (
        _("Under 18 on the day of the session, and the guardian's consent is not given."),
        _("Obtain the consent and write 是 (Y)."),
    ),
    # several rows
    "number_twice": (_("The same number stands in row %(other)s."), _("Give each entrant a number of their own.")),
    "person_twice": (
        _("The same person as in row %(other)s (name and date of birth)."),
        _("Keep one of the two rows."),
    ),
    "person_alike": (
        _("Perhaps the same person as in row %(other)s: name and telephone agree, not all the rest."),
        _("Keep one of the two rows, or both as two people."),
    ),
    "person_entered": (
        _("The same person is already entered as %(number)s (name and date of birth)."),
        _("An organiser decides: leave this row out, or enter both as two people."),
    ),
    "person_alike_entered": (
        _("Perhaps the same person as %(number)s, who is entered: name and telephone agree, not all the rest."),
        _("An organiser decides: leave this row out, or enter both as two people."),
    ),
    "differs_from_entered": (
        _("The same person is already entered as %(number)s with another %(columns)s."),
        _("To change it write %(number)s as this row's number; else write what was entered."),
    ),
    "number_of_another": (
        _("Number %(number)s belongs to somebody else: neither name nor date of birth agrees."),
        _("Give this row another number, or leave the number blank."),
    ),
    # somebody entered who would change
    "result_locked": (
        _("Entrant %(number)s has games on a signed sheet: %(columns)s stays as it is."),
        _("Write what was entered: the session of a signed sheet cannot change any more."),
    ),
    "session_played": (
        _("Entrant %(number)s belongs to session %(session)s, which is under way or over."),
        _("Write session %(session)s; on the day record an absence instead."),
    ),
    "absent_keeps_session": (
        _("Entrant %(number)s is recorded as %(status)s and gets no other session."),
        _("Write session %(session)s; if the record is wrong, readmit the entrant first."),
    ),
    "seat_confirmed": (
        _("Entrant %(number)s has a seat in the confirmed seating of session %(session)s."),
        _(
            "Write session %(session)s; or an organiser moves the entrant on the entrant's page and gives up the seat "
            "there."
        ),
    ),
    "family_left_alone": (
        _("Entrant %(other)s would be left alone in family %(family)s."),
        _("Change both members, or write what was entered."),
    ),
    "family_left_half": (
        _("Family %(family)s would be left without a child or without a parent: %(other)s."),
        _("Change them too, or write what was entered."),
    ),
    "family_role_missing": (
        _("A family is named, but not whether child or parent."),
        _("Write 子女 or 家長 (child or parent)."),
    ),
    "family_code_missing": (_("Child or parent of no family."), _("Write the family's code, or clear the role.")),
    "family_of_one": (
        _("Family %(family)s has only one member."),
        _("A pair is one child and one parent: add the other, or clear the code."),
    ),
    "family_of_many": (
        _("Family %(family)s has %(count)s members."),
        _(
            "This event allows one pair a person: clear the code of the others, or let an organiser allow several on "
            "the set-up page."
        ),
    ),
    "family_same_roles": (
        _("Both members of family %(family)s have the same role."),
        _("A pair is one child and one parent: correct the role."),
    ),
    "family_one_role": (
        _("All %(count)s members of family %(family)s have the same role."),
        _("A family has at least one child and one parent: correct a role."),
    ),
    "family_after_results": (
        _("A member of family %(family)s has games on a signed sheet."),
        _("Leave the family blank here and declare the pair on the entrant's page: that takes two people."),
    ),
    "child_too_young": (
        _("The child is %(age)s on the day of its session; a pair's child is 7 to 18."),
        _("Correct the date of birth, or clear the pair."),
    ),
    "child_too_old": (
        _("The child is %(age)s on the day of its session; a pair's child is 7 to 18."),
        _("Correct the date of birth, or clear the pair."),
    ),
    "parent_too_young": (
        _("The parent is %(age)s on that day, not yet 18."),
        _("Correct the date of birth, or clear the pair."),
    ),
    "parent_not_older": (_("The parent is not older than the child."), _("Correct the dates of birth or the roles.")),
    "session_full": (
        _("Session %(session)s has %(capacity)s places; this row is number %(place)s."),
        _("Move the entrant to another session."),
    ),
    "quota_full": (
        _("The event has %(quota)s places; this row is number %(place)s."),
        _("First come, first served: delete the row."),
    ),
}


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column of the file: its position from 0, its letter and its name as typed, its meaning (`phone`; "": none)."""

    index: int
    letter: str
    head: str
    column: str = ""

    def __str__(self) -> str:
        return f"{self.letter} {self.head}".strip()


@dataclass(frozen=True, slots=True)
class ImportFault:
    """One fault. `row` is the file's own row number (0: the whole file), `cell` the text as typed (None: not kept)."""

    code: str
    row: int
    place: FileColumn
    cell: str | None
    weight: FaultSeverity = FAULT_ERROR
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def what(self) -> str:
        """What is wrong, in the language of the moment."""
        return fill_fault_sentence(FAULT_SENTENCES[self.code][0], self.facts)

    @property
    def do(self) -> str:
        """What to do about it, in the language of the moment."""
        return fill_fault_sentence(FAULT_SENTENCES[self.code][1], self.facts)

    @property
    def order(self) -> tuple[int, int, str]:
        """The order of the file: by row, then by column."""
        return (self.row, self.place.index, self.code)


def fill_fault_sentence(sentence: str, facts: Mapping[str, Any]) -> str:
    """A sentence with its facts in place."""
    text = gettext(sentence)
    return text % facts if facts else text
