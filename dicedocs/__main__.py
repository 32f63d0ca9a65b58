"""``python -m dicedocs``: the command ``dicedocs``."""

from dicedocs.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
