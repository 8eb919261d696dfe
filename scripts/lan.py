"""`make lan`: the demo over https in the hall's own network, with a certificate of its own making.

Over https a tablet opens its page without network; over plain http it only keeps what it recorded. The authority's key
stays in var/lan, readable by its owner alone; a tablet trusts the authority once, whatever addresses follow.
"""

import argparse
import datetime
import ipaddress
import os
import socket
import subprocess
import sys
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from scripts.serve_demo import ROOT, VAR, environment, local_addresses, port_is_free, prepare

LAN = VAR.parent / "lan"
AUTHORITY_LIVES = datetime.timedelta(days=3650)
# iPads refuse certificates that live longer than 825 days.
CERTIFICATE_LIVES = datetime.timedelta(days=397)

HOW = """
Trust the certificate once on each tablet / 每部平板須信任一次憑證:
  {path}
  iPad: 以 AirDrop 或電郵傳送此檔 → 設定 → 已下載描述檔 → 安裝；再到 一般 → 關於本機 → 憑證信任設定 → 開啟。
        Send it by AirDrop or mail → Settings → Profile Downloaded → Install; then General → About → Certificate
        Trust Settings → switch it on.
  Android: 設定 → 安全性 → 加密與憑證 → 安裝憑證 → CA 憑證 → 選此檔。
        Settings → Security → Encryption & credentials → Install a certificate → CA certificate → choose it.
"""


def write_private(path: Path, content: bytes) -> None:
    """Readable by its owner alone from the first byte on."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)


def pem_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """A key as a file has it."""
    form = serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def named(text: str) -> x509.Name:
    """A subject."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def started(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, lives: datetime.timedelta
) -> x509.CertificateBuilder:
    """What both certificates have; valid from yesterday, since a tablet's clock may be behind."""
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    return builder.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + lives)


def authority() -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    """The installation's own authority, made once."""
    key_path, path = LAN / "authority.key", LAN / "authority.crt"
    if not (key_path.exists() and path.exists()):
        key, name = ec.generate_private_key(ec.SECP256R1()), named(f"Rummikub desk {socket.gethostname()}")
        builder = started(name, name, key, AUTHORITY_LIVES)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        write_private(key_path, pem_of(key))
        path.write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    loaded = serialization.load_pem_private_key(key_path.read_bytes(), None)
    assert isinstance(loaded, ec.EllipticCurvePrivateKey)
    return loaded, x509.load_pem_x509_certificate(path.read_bytes())


def certify(hosts: list[str]) -> tuple[Path, Path]:
    """A certificate for these names and addresses, made anew with each start: certificate, key."""
    authority_key, issuer = authority()
    key = ec.generate_private_key(ec.SECP256R1())
    names: list[x509.GeneralName] = []
    for host in hosts:
        try:
            names.append(x509.IPAddress(ipaddress.ip_address(host)))
        except ValueError:
            names.append(x509.DNSName(host))
    builder = started(named(hosts[0]), issuer.subject, key, CERTIFICATE_LIVES)
    builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    path, key_path = LAN / "server.crt", LAN / "server.key"
    path.write_bytes(builder.sign(authority_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    write_private(key_path, pem_of(key))
    return path, key_path


def main() -> None:
    """Certify, prepare, say, serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--stage", default="")
    parser.add_argument("--port", type=int, default=8443)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not port_is_free(options.port):
        sys.exit(f"Port {options.port} is taken. Stop what uses it, or: make lan PORT={options.port + 1}")
    for folder in (LAN, VAR):
        folder.mkdir(parents=True, exist_ok=True)
    hosts = list(dict.fromkeys([*local_addresses(), socket.gethostname(), "localhost", "127.0.0.1"]))
    certificate, key = certify(hosts)
    env = {**environment(options.port), "SITE_URL": f"https://{hosts[0]}:{options.port}"}
    prepare(env, options.stage, options.seed)
    for host in hosts:
        print(f"  https://{host}:{options.port}/        報到處 / the desk")
    print(HOW.format(path=LAN / "authority.crt"), flush=True)
    subprocess.Popen([sys.executable, "manage.py", "work", "--with-parent"], cwd=ROOT, env=env)
    secure = ["--certfile", str(certificate), "--keyfile", str(key), "--bind", f"0.0.0.0:{options.port}"]
    gunicorn = [sys.executable, "-m", "gunicorn", "tournament.wsgi", *secure]
    os.chdir(ROOT)
    os.execve(sys.executable, [*gunicorn, "--workers", "2", "--threads", "4", "--log-level", "warning"], env)


if __name__ == "__main__":
    main()
