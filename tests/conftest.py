"""What all tests share: no test asserts how long anything takes, so hypothesis has no deadline either."""

from hypothesis import settings

settings.register_profile("dicedocs", deadline=None)
settings.load_profile("dicedocs")
