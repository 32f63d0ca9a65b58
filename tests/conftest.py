"""What all tests share."""

import sys

# nbformat loads jsonschema, and that takes seconds to read the grammars of this, which no notebook needs.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
