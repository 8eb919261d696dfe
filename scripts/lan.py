"""`make lan`: the demo over https in the hall's own network. What it and `make event` have in common is here too.

Over https a tablet opens its page without network; over plain http it only keeps what it recorded. A tablet trusts the
authority once, whatever addresses follow (scripts/certificates.py).
"""

import argparse
import base64
import os
from pathlib import Path

from scripts import serving, system_packages
from scripts.certificates import certify
from scripts.serve_demo import STAGES, play
from tournament.folder import DEMO

HOW = """
Trust the certificate once on each tablet / 每部平板須信任一次憑證:
  {path}
  iPad: 以 AirDrop 或電郵傳送此檔 → 設定 → 已下載描述檔 → 安裝；再到 一般 → 關於本機 → 憑證信任設定 → 開啟。
        Send it by AirDrop or mail → Settings → Profile Downloaded → Install; then General → About → Certificate
        Trust Settings → switch it on.
  Android: 設定 → 安全性 → 加密與憑證 → 安裝憑證 → CA 憑證 → 選此檔。
        Settings → Security → Encryption & credentials → Install a certificate → CA certificate → choose it.
It lives for 60 days and holds for this network alone / 有效 60 日，只適用於本網絡。
"""


def first_key(data: Path, env: dict[str, str]) -> str:
    """The key of backups that enciphers, as it is printed."""
    given = env.get("SIGNATURE_KEY", "").split()
    line = given[0] if given else (data / "signature_key").read_text(encoding="ascii").split()[0]
    base64.b64decode(line, validate=True)
    return line


def serve_hall(data: Path, env: dict[str, str], port: int) -> None:
    """Certify, say, serve."""
    hosts = serving.names_here()
    pair, anew = certify(data / "lan", first_key(data, env), hosts)
    for host in dict.fromkeys(hosts):
        print(f"  https://{host}:{port}/        報到處 / the desk")
    print(HOW.format(path=data / "lan" / "authority.crt"), flush=True)
    if anew:
        print(
            "This authority is new here: each tablet has to be shown it once / 新憑證，每部平板須重新信任。", flush=True
        )
    serving.serve(data, env, port, pair)


def main() -> None:
    """Play the demo, serve it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--stage", choices=["", *STAGES], default="")
    parser.add_argument("--port", type=int, default=8443)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    serving.refuse_taken(options.port, "lan")
    system_packages.install(["nginx-light"])
    data = serving.begin(DEMO)
    env = serving.secure(serving.environment(data, DEMO), options.port)
    os.chdir(serving.ROOT)
    play(data, env, options.stage, options.seed)
    serve_hall(data, env, options.port)


if __name__ == "__main__":
    main()
