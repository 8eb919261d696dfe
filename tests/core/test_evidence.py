"""Every model of the app is recorded in the log or decides nothing, and every field of a recorded one is kept."""

from django.apps import apps
from django.contrib.auth.models import User

from tournament.core.models.evidence import declared, evidence_of, kept_fields, recorded_models

# What decides nothing, and why the log need not hold it.
DECIDES_NOTHING = {
    "AuditEntry": "the log itself: its hash holds it",
    "AuditHead": "the log's own end: compared with the last entry",
    "BounceReading": "how far a mailbox was read; each bounce is recorded with its mail",
    "Epoch": "which life of the database this is, for tablets; a restore is an entry",
    "Job": "how far long work is; what it has done has entries of its own",
    "LinkTry": "wrong private links of the last minutes",
    "PairingTry": "wrong pairing codes of the last minutes",
    "PinTry": "wrong PINs since the last right one; the lock has its entry",
    "RequestKey": "answers to give again to the same request",
    "SafePoint": "how far the newest backup reaches; the backup has its entry",
    "Worker": "which processes are alive",
}


def test_every_model_is_recorded_or_decides_nothing() -> None:
    ours = set(apps.get_app_config("tournament").get_models())
    unrecorded = {model.__name__ for model in ours if evidence_of(model) is None}
    assert unrecorded == set(DECIDES_NOTHING)
    assert User in recorded_models()


def test_every_field_of_a_recorded_model_is_in_its_record_or_exempt_with_a_reason() -> None:
    for model in recorded_models():
        own = declared(model)
        fields = {field.name for field in model._meta.concrete_fields if not field.primary_key}
        kept = {field.name for field, _hides in kept_fields(model)}
        assert kept | own.exempt.keys() == fields, model
        assert kept.isdisjoint(own.exempt), model
        assert own.plain | own.hidden <= kept, model
        assert all(len(reason.split()) > 3 for reason in own.exempt.values()), model
        assert not model._meta.local_many_to_many or model is User, model
