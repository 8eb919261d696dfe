"""The certificates of a laptop's server in the hall: an authority that a tablet trusts once, and what it signs.

The authority's key lies on no disk. It is drawn from the key of backups and signatures, so that whoever brings that
sealed key to a second laptop has the same authority there, and no tablet has to trust anything anew. It lives for some
weeks and may speak for private addresses and names of a local network alone: with it nobody reads anything else.
"""

import base64
import datetime
import ipaddress
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_LIFETIME = datetime.timedelta(days=60)
# Nearer to its end it is made anew: a certificate must outlast the days of an event.
MIN_VALIDITY_LEFT = datetime.timedelta(days=10)
AUTHORITY_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Rummikub desk in this hall")])
AUTHORITY_KEY_PURPOSE = b"rummikub authority of the hall 1"
PRIVATE_NETWORKS = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
)
LOCAL_NAMES = ("localhost", "local")
EcPrivateKey = ec.EllipticCurvePrivateKey
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def write_private(path: Path, content: bytes) -> None:
    """Readable by its owner alone from the first byte on."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def authority_key(line: str) -> EcPrivateKey:
    """The authority's key, from the first key of backups as `signature_key --show` prints it."""
    drawn = HKDF(algorithm=hashes.SHA256(), length=48, salt=None, info=AUTHORITY_KEY_PURPOSE).derive(
        base64.b64decode(line)
    )
    # 48 bytes, so that the rest of the division favours no key; 1 to order - 1.
    order = ec.SECP256R1().group_order
    return ec.derive_private_key(int.from_bytes(drawn) % (order - 1) + 1, ec.SECP256R1())


def begin_certificate(subject: x509.Name, key: EcPrivateKey, until: datetime.datetime) -> x509.CertificateBuilder:
    """What both certificates have; valid from yesterday, since a tablet's clock may be behind."""
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(AUTHORITY_NAME).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    return builder.not_valid_before(certificate_now() - datetime.timedelta(days=1)).not_valid_after(until)


def certificate_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def authority_name_constraints(hosts: Sequence[str]) -> x509.NameConstraints:
    """What the authority may speak for: private networks, and in a hall with public addresses the one of this machine
    alone."""
    own = [str(address) for address in host_addresses(hosts) if not is_private_address(address)]
    networks = [x509.IPAddress(ipaddress.ip_network(one)) for one in (*PRIVATE_NETWORKS, *own)]
    return x509.NameConstraints([*networks, *(x509.DNSName(one) for one in LOCAL_NAMES)], None)


def host_addresses(hosts: Sequence[str]) -> list[IpAddress]:
    """Those of the hosts that are no names."""
    found = []
    for host in hosts:
        with suppress(ValueError):
            found.append(ipaddress.ip_address(host))
    return found


def is_private_address(address: IpAddress) -> bool:
    """Whether it is one of nobody else's."""
    return any(address in ipaddress.ip_network(one) for one in PRIVATE_NETWORKS)


def may_authority_sign_for(certificate: x509.Certificate, hosts: Sequence[str]) -> bool:
    """Whether the authority may sign for all of this machine's addresses."""
    may = certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
    values = [one.value for one in may if isinstance(one, x509.IPAddress)]
    networks = [value for value in values if isinstance(value, ipaddress.IPv4Network | ipaddress.IPv6Network)]
    return all(any(address in network for network in networks) for address in host_addresses(hosts))


def with_key_identifiers(
    builder: x509.CertificateBuilder, key: EcPrivateKey, authority: EcPrivateKey
) -> x509.CertificateBuilder:
    """With the marks of the keys, by which a browser finds the one that signed."""
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key())
    return builder.add_extension(own, critical=False).add_extension(above, critical=False)


def authority_certificate(path: Path, key: EcPrivateKey, hosts: Sequence[str]) -> tuple[x509.Certificate, bool]:
    """What tablets trust, and whether it had to be made anew: there is none, it is another key's, it ends soon, or the
    machine has an address for which it may not speak."""
    if path.exists():
        found = x509.load_pem_x509_certificate(path.read_bytes())
        lasts = found.not_valid_after_utc - certificate_now() > MIN_VALIDITY_LEFT
        if lasts and found.public_key() == key.public_key() and may_authority_sign_for(found, hosts):
            return found, False
    builder = with_key_identifiers(
        begin_certificate(AUTHORITY_NAME, key, certificate_now() + AUTHORITY_LIFETIME), key, key
    )
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(authority_name_constraints(hosts), critical=True)
    usage = {"key_cert_sign": True, **dict.fromkeys(("digital_signature", "content_commitment", "crl_sign"), False)}
    others = ("key_encipherment", "data_encipherment", "key_agreement", "encipher_only", "decipher_only")
    builder = builder.add_extension(x509.KeyUsage(**usage, **dict.fromkeys(others, False)), critical=True)
    made = builder.sign(key, hashes.SHA256())
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return made, True


def permitted_general_name(host: str) -> x509.GeneralName | None:
    """The address, or a name for which the authority may speak, as a certificate has it."""
    if address := host_addresses([host]):
        return x509.IPAddress(address[0])
    return x509.DNSName(host) if any(host == one or host.endswith(f".{one}") for one in LOCAL_NAMES) else None


def issue_hall_certificate(folder: Path, line: str, hosts: Sequence[str]) -> tuple[tuple[Path, Path], bool]:
    """Certificate and key for these names and addresses, made anew with each start, signed by the authority of this
    key of backups; and whether tablets have to trust an authority that they do not know yet."""
    folder.mkdir(mode=0o700, exist_ok=True)
    above = authority_key(line)
    issuer, anew = authority_certificate(folder / "authority.crt", above, hosts)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0])])
    builder = with_key_identifiers(begin_certificate(subject, key, issuer.not_valid_after_utc), key, above)
    names = [name for host in hosts if (name := permitted_general_name(host)) is not None]
    builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    path, key_path = folder / "server.crt", folder / "server.key"
    path.write_bytes(builder.sign(above, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    pem = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    write_private(key_path, key.private_bytes(*pem))
    return (path, key_path), anew
