"""Whether books can be set on paper here."""

import os
from functools import cache
from io import BytesIO


def has_pango() -> bool:
    """Return whether WeasyPrint finds Pango, which no wheel contains; in CI it must."""
    try:
        import weasyprint  # noqa: F401
    except OSError:
        if os.environ.get("CI"):
            raise
        return False
    unpack_once()
    return True


@cache
def unpack_once() -> None:
    """Unpack each face once, and not for each book, which takes longer than to set a short one."""
    from fontTools.ttLib import woff2  # type: ignore[import-untyped]

    unpack = woff2.decompress

    @cache
    def unpacked(packed: bytes) -> bytes:
        out = BytesIO()
        unpack(BytesIO(packed), out)
        return out.getvalue()

    woff2.decompress = lambda packed, out: out.write(unpacked(packed.read()))
