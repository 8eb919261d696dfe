"""Where django-axes stands in front of the passwords."""

from typing import Any

from axes.backends import AxesStandaloneBackend


class DelayedSignIn(AxesStandaloneBackend):  # type: ignore[misc]  # django-axes has no types
    """Refuses while an account waits. A program at the machine, which has no request, is no door from outside."""

    def authenticate(self, request: Any, username: Any = None, password: Any = None, **more: Any) -> None:
        """None lets the next backend look at the password."""
        if request is not None:
            super().authenticate(request, username=username, password=password, **more)
