"""nginx before the program, from deploy/nginx.conf: for `make lan`, `make event` and `make demo` as a process of their
own, and printed for a server: `python -m scripts.front --var DIR --names NAME --certificate FILE --key FILE`.
"""

import argparse
import os
import pwd
import sys
from pathlib import Path

from scripts import preflight

FRONT_PROJECT_ROOT = Path(__file__).resolve().parent.parent
SITE_TEMPLATE = FRONT_PROJECT_ROOT / "deploy" / "nginx.conf"
ERROR_PAGES_FOLDER = FRONT_PROJECT_ROOT / "deploy" / "front"
DEBIAN_NGINX_FOLDER = Path("/var/lib/nginx")

# Around the site on a laptop, where nginx is nobody's but ours.
NGINX_CONFIG_TEMPLATE = """{user}daemon off;
pid {front}/nginx.pid;
error_log {front}/error.log error;
worker_processes 2;
worker_rlimit_nofile 16384;
events {{ worker_connections 4096; }}
http {{
    types {{
        text/html html; text/css css; text/javascript js mjs; image/svg+xml svg; image/png png; image/x-icon ico;
        application/json json webmanifest; font/woff2 woff2; font/ttf ttf; audio/mpeg mp3; audio/wav wav;
        application/wasm wasm; text/plain txt map;
    }}
    default_type application/octet-stream;
    charset utf-8;
    charset_types text/css text/javascript text/plain image/svg+xml application/json;
    sendfile on;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache shared:hands:4m;
    ssl_session_timeout 1d;
    client_body_temp_path {front}/body;
    proxy_temp_path {front}/proxy;
    fastcgi_temp_path {front}/fastcgi;
    uwsgi_temp_path {front}/uwsgi;
    scgi_temp_path {front}/scgi;
    include {front}/site.conf;
}}
"""


def render_nginx_site(
    var: Path, own: Path, listen: str, upstream: str, names: str, certificate: tuple[Path, Path] | None, log: str = ""
) -> str:
    """deploy/nginx.conf with its blanks filled in; what nginx keeps for itself is in `own`."""
    filled = {
        "@FRONT@": str(own),
        "@LISTEN@": f"{listen} ssl http2" if certificate else listen,
        "@NAMES@": names,
        "@CERTIFICATE@": f"ssl_certificate {certificate[0]};\n    ssl_certificate_key {certificate[1]};"
        if certificate
        else "# Plain http.",
        "@LOG@": f"{log} without_secrets" if log else "off",
        "@UPSTREAM@": upstream,
        "@VAR@": str(var),
        "@PAGES@": str(ERROR_PAGES_FOLDER),
    }
    text = SITE_TEMPLATE.read_text(encoding="utf-8")
    for blank, value in filled.items():
        text = text.replace(blank, value)
    return text


def prepare_nginx_command(var: Path, listen: str, upstream: str, certificate: tuple[Path, Path] | None) -> list[str]:
    """Write nginx's files into the data folder; what starts it in the foreground, at an address and port. Its workers
    belong to whoever the folder belongs to."""
    folder = var / "front"
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / "site.conf").write_text(
        render_nginx_site(var, folder, listen, upstream, "_", certificate), encoding="utf-8"
    )
    user = f"user {pwd.getpwuid(var.stat().st_uid).pw_name};\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(NGINX_CONFIG_TEMPLATE.format(front=folder, user=user), encoding="utf-8")
    return [
        preflight.nginx_program(),
        "-p",
        str(folder),
        "-c",
        str(folder / "nginx.conf"),
        "-e",
        str(folder / "error.log"),
    ]


def main() -> None:
    """Print the site of a server."""
    parser = argparse.ArgumentParser(description="Print an nginx site for this program.")
    parser.add_argument("--var", type=Path, default=Path("/var/lib/tournament"), help="the data folder")
    parser.add_argument("--names", required=True, help="the host's names, as in ALLOWED_HOSTS")
    parser.add_argument("--certificate", type=Path, required=True)
    parser.add_argument("--key", type=Path, required=True)
    parser.add_argument("--upstream", default="127.0.0.1:8000", help="where gunicorn listens")
    options = parser.parse_args()
    pair = (options.certificate, options.key)
    log = "/var/log/nginx/access.log"
    sys.stdout.write(
        render_nginx_site(options.var, DEBIAN_NGINX_FOLDER, "443", options.upstream, options.names, pair, log)
    )


if __name__ == "__main__":
    main()
