

class _Renewal:
    """A renewal of the access token, which several threads may wait for."""

    def __init__(self) -> None:
        self.is_done = threading.Event()
        self.error: Optional[BaseException] = None


class _SignIn:
    """The tokens of a sign-in, which all threads of a client share."""

    def __init__(
        self, refresh_token: Optional[str], on_refresh_token: Optional[Callable[[str], None]]
    ) -> None:
        self.access_token: Optional[str] = None
        self.refresh_token = refresh_token
        self._on_refresh_token = on_refresh_token
        self._lock = threading.Lock()
        self._renewal: Optional[_Renewal] = None

    def end(self) -> None:
        with self._lock:
            self.access_token = self.refresh_token = None

    def adopt(self, reply: _Reply, body: Any) -> None:
        """Uses the tokens of a response from now on.

        A new refresh token is stored before anything else, because the old one no longer works.
        """
        for header in reply.headers.get_all("Set-Cookie") or []:
            token = _cookie_value(header)
            if token == "":
                self.end()
            elif token is not None:
                self.refresh_token = token
                if self._on_refresh_token:
                    self._on_refresh_token(token)
        if isinstance(body, dict) and isinstance(body.get("access_token"), str):
            self.access_token = body["access_token"]

    def renew(self, stale: Optional[str], refresh: Callable[[], Any]) -> bool:
        """Renews the access token once, however many threads need it at the same time.

        Returns:
            Whether there is another access token than the stale one.
        """
        with self._lock:
            if self.access_token != stale:
                return self.access_token is not None
            if self.refresh_token is None:
                return False
            renewal, is_own = self._renewal, self._renewal is None
            if renewal is None:
                renewal = self._renewal = _Renewal()
        if is_own:
            self._run(renewal, stale, refresh)
        renewal.is_done.wait()
        if renewal.error is not None:
            raise renewal.error
        return True

    def _run(self, renewal: _Renewal, stale: Optional[str], refresh: Callable[[], Any]) -> None:
        try:
            refresh()
        except Unauthorized as error:
            # A sign-in since then has begun another session, which has not ended.
            if self.access_token in (None, stale):
                renewal.error = error
                self.end()
        except BaseException as error:
            renewal.error = error
        with self._lock:
            self._renewal = None
        renewal.is_done.set()


def _cookie_value(header: str) -> Optional[str]:
    """The refresh token of a Set-Cookie header; empty if the header deletes it."""
    try:
        cookie = SimpleCookie(header).get(REFRESH_COOKIE)
    except CookieError:
        return None
    return None if cookie is None else cookie.value
