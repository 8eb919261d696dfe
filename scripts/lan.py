"""`make lan`: the demo over https in the hall's own network. What it and `make event` have in common is here too.

Over https a tablet opens its page without network; over plain http it only keeps what it recorded. A tablet trusts the
authority once, whatever addresses follow (scripts/certificates.py).
"""

import argparse
import base64
from pathlib import Path

from scripts import preflight, serving, system_packages
from scripts.certificates import issue_hall_certificate
from scripts.preflight import ServingRequest
from scripts.serve_demo import NETWORK_WARNING, play_demo_until
from tournament.core.installation_folder import DEMO_KIND

TRUST_INSTRUCTIONS = """
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


def serve_hall(data: Path, env: dict[str, str], request: ServingRequest) -> None:
    """Issue the hall's certificate, serve until stopped; the addresses are printed once they answer."""
    hosts = serving.local_host_names()
    pair, anew = issue_hall_certificate(data / "lan", first_key(data, env), hosts)

    def print_addresses() -> None:
        for host in dict.fromkeys(hosts):
            print(f"  https://{host}:{request.chosen_port}/        報到處 / the desk")
        print(TRUST_INSTRUCTIONS.format(path=data / "lan" / "authority.crt"))
        if anew:
            print("This authority is new here: each tablet has to be shown it once / 新憑證，每部平板須重新信任。")
        if request.target == "lan":
            print(NETWORK_WARNING)
        print("Stop with Ctrl-C.", flush=True)

    serving.serve_processes(data, env, request, print_addresses, pair)


def main() -> None:
    """Play the demo, serve it."""
    parser = argparse.ArgumentParser()
    preflight.add_request_options(parser)
    request = preflight.request_of(parser.parse_args(), "lan")
    serving.refuse_faults(request, preflight.data_folder_of(request.target))
    system_packages.install_packages(["nginx-light"])
    data = serving.begin_data_folder(DEMO_KIND)
    with serving.held_folder(data, request, f"https://localhost:{request.chosen_port}/"):
        own = serving.server_environment(data, DEMO_KIND, request.host)
        env = serving.https_environment(own, request.chosen_port)
        play_demo_until(data, env, request)
        serve_hall(data, env, request)


if __name__ == "__main__":
    main()
