"""Serve the built site on this machine, with the types of files that browsers ask for: serve.py [PORT]."""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SITE = Path(__file__).resolve().parents[1] / "build" / "site"
HOST = "127.0.0.1"


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves files with types that do not depend on the settings of the machine."""

    extensions_map = {  # noqa: RUF012  # as the base class declares it
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
        ".zip": "application/zip",
    }

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: the reader of the site is the one who started this."""


def main() -> None:
    """Serve the site until it is interrupted."""
    if not SITE.is_dir():
        sys.exit("the site is not built: run 'make site' first")
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    try:
        server = ThreadingHTTPServer((HOST, port), partial(SiteHandler, directory=str(SITE)))
    except OSError as error:
        sys.exit(f"port {port} cannot be used ({error.strerror}): name another one, make serve PORT=8001")
    print(f"Open http://{HOST}:{port}/ and stop with Ctrl+C.")
    print("Opened as files, pages show everything but do not roll: browsers load no modules and workers from files.")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
