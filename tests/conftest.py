"""Settings that hold for all tests."""

from hypothesis import settings

# A deadline would assert a time, and fail where the machine has other work.
settings.register_profile("scaup", deadline=None)
settings.load_profile("scaup")
