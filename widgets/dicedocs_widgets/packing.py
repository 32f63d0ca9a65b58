"""What is sent and saved as packed text, since a notebook saves it in full: gzip in base64."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from gzip import compress, decompress
from typing import Any

from dicedocs.render.words import whole_characters


def packed_bytes(text: str) -> bytes:
    """Return a text packed as bytes, for a message; the result depends on the version of zlib."""
    return compress(text.encode(), mtime=0)


def pack(text: str) -> str:
    """Return a text packed as text; the result depends on the version of zlib.

    >>> unpack(pack("3d6"))
    '3d6'
    """
    return b64encode(packed_bytes(text)).decode()


def unpack(packed: str) -> str:
    """Return a text that was packed."""
    return decompress(b64decode(packed)).decode()


def pack_data(data: Any, _widget: object = None) -> str:
    """Return plain data as packed JSON; a trait can be tagged with this function and :func:`unpack_data`.

    >>> unpack_data(pack_data({"faces": [4, 2, 5]}))
    {'faces': [4, 2, 5]}
    """
    return pack(whole_characters(json.dumps(data, ensure_ascii=False, separators=(",", ":"))))


def unpack_data(packed: str, _widget: object = None) -> Any:
    """Return plain data that was packed."""
    return json.loads(unpack(packed))
