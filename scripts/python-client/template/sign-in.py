

class _Renewal:
    """A renewal of the access token, which several threads may wait for."""

    def __init__(self) -> None:
        self.is_done = threading.Event()
        self.error: Optional[BaseException] = None


class _SignIn:
    """The tokens of a sign-in, which all threads of a client share."""

    def __init__(
        self, refresh_token: Optional[_Secret], on_refresh_token: Optional[Callable[[str], None]]
    ) -> None:
        self.access_token: Optional[_Secret] = None
        self.refresh_token = refresh_token
        self._on_refresh_token = on_refresh_token
        self._lock = threading.Lock()
        self._renewal: Optional[_Renewal] = None

    def end(self) -> None:
        with self._lock:
            self.access_token = self.refresh_token = None

    def adopt(self, reply: _Reply, body: Any) -> None:
        """Uses the tokens of a response from now on.

        A new refresh token is reported once both tokens are in use, so that a callback that
        raises does not end the sign-in: the old token no longer works.
        """
        cookies = [_cookie_value(each) for each in reply.headers.get_all("Set-Cookie") or []]
        tokens = [token for token in cookies if token]
        if "" in cookies:
            self.end()
        if tokens:
            self.refresh_token = _Secret(tokens[-1])
        if isinstance(body, dict) and isinstance(body.get("access_token"), str):
            self.access_token = _Secret(body["access_token"])
        if tokens and self._on_refresh_token:
            self._on_refresh_token(tokens[-1])

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


class _Secret(str):
    """A credential. Reports of errors show the variables of functions by their `repr`."""

    def __repr__(self) -> str:
        return "'***'"


def _secret(name: str, value: Optional[str]) -> Optional[_Secret]:
    """A credential without the white space around it; None for an empty one.

    Raises:
        ValueError: No header can hold it. The error of `http.client` would show it.
    """
    text = (value or "").strip()
    if not re.fullmatch(r"[!-~]*", text):
        raise ValueError(f"{name} has a character that no credential has") from None
    return _Secret(text) if text else None
