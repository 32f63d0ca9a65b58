"""What all tests share: no test asserts how long anything takes, so hypothesis has no deadline either."""

import gc
import logging

from hypothesis import settings

settings.register_profile("dicedocs", deadline=None)
settings.load_profile("dicedocs")


def pytest_collection_finish():
    """Spare each build the collection of garbage among thousands of tests, and what Sphinx logs for its developers."""
    gc.freeze()
    logging.disable(logging.DEBUG)
