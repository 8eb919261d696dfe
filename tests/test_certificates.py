"""The hall's authority: the same wherever the sealed key is, for some weeks, and for nobody but this network."""

import base64
import stat
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID

from scripts import certificates
from scripts.certificates import authority_key, begin_certificate, issue_hall_certificate

LINE = base64.b64encode(bytes(range(32))).decode()
HOSTS = ["192.168.1.20", "desk.local", "localhost", "127.0.0.1"]


def verdict(authority: Path, certificate: Path) -> str:
    """What OpenSSL says of a certificate to one who trusts the authority."""
    command = ["openssl", "verify", "-CAfile", str(authority), str(certificate)]
    done = subprocess.run(command, capture_output=True, text=True)
    return "OK" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.fault("X25")
def test_a_second_laptop_with_the_sealed_key_is_trusted_by_who_trusts_the_first(tmp_path: Path) -> None:
    (_pair, anew), (second, _anew) = (issue_hall_certificate(tmp_path / name, LINE, HOSTS) for name in ("one", "two"))
    assert anew
    assert verdict(tmp_path / "one" / "authority.crt", second[0]) == "OK"
    assert issue_hall_certificate(tmp_path / "one", LINE, HOSTS)[1] is False
    other = base64.b64encode(bytes(32)).decode()
    issue_hall_certificate(tmp_path / "three", other, HOSTS)
    assert verdict(tmp_path / "three" / "authority.crt", second[0]) != "OK"


def forged(folder: Path, names: list[x509.GeneralName]) -> Path:
    """A certificate that somebody who has the key makes for others' names."""
    key = authority_key(LINE)
    until = certificates.certificate_now() + timedelta(days=9)
    builder = begin_certificate(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bank")]), key, until)
    builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    path = folder / "forged.crt"
    path.write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return path


def test_the_authority_speaks_for_private_addresses_and_local_names_alone(tmp_path: Path) -> None:
    issue_hall_certificate(tmp_path / "one", LINE, HOSTS)
    authority = tmp_path / "one" / "authority.crt"
    bank, public = x509.DNSName("bank.example"), certificates.permitted_general_name("8.8.8.8")
    assert public is not None
    assert verdict(authority, forged(tmp_path, [x509.DNSName("other.local")])) == "OK"
    assert "permitted subtree violation" in verdict(authority, forged(tmp_path, [bank]))
    assert "permitted subtree violation" in verdict(authority, forged(tmp_path, [public]))


def test_it_lives_for_weeks_and_its_key_lies_on_no_disk(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "server.key").write_text("of before, and open to all")
    (folder / "server.key").chmod(0o644)
    (certificate, key), _anew = issue_hall_certificate(folder, LINE, HOSTS)
    authority, server = (
        x509.load_pem_x509_certificate(path.read_bytes()) for path in (folder / "authority.crt", certificate)
    )
    assert authority.not_valid_after_utc - authority.not_valid_before_utc == timedelta(days=61)
    assert server.not_valid_after_utc <= authority.not_valid_after_utc
    assert sorted(path.name for path in folder.iterdir()) == ["authority.crt", "server.crt", "server.key"]
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_an_authority_that_ends_soon_or_may_not_speak_for_this_address_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "one"
    assert [issue_hall_certificate(folder, LINE, HOSTS)[1] for _each in range(2)] == [True, False]
    pair, anew = issue_hall_certificate(folder, LINE, ["203.0.113.7", *HOSTS])
    assert (anew, verdict(folder / "authority.crt", pair[0])) == (True, "OK")
    assert issue_hall_certificate(folder, LINE, ["203.0.113.7", *HOSTS])[1] is False
    late = certificates.certificate_now() + timedelta(days=51)
    monkeypatch.setattr(certificates, "certificate_now", lambda: late)
    assert issue_hall_certificate(folder, LINE, HOSTS)[1] is True
