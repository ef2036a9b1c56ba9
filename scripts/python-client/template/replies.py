

class _Reply:
    """The response to a request, whose body may not be read yet."""

    def __init__(
        self,
        pool: _Pool,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        secrets: Sequence[str] = (),
    ) -> None:
        self._pool, self._connection, self.response = pool, connection, response
        self._secrets = secrets
        self.status, self.headers = response.status, response.headers
        self.data = b""

    def read(self) -> bytes:
        """The whole body. The connection can then be used again."""
        try:
            data = self.response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            cause = _safe_cause(error)
        else:
            self.finish()
            return data
        raise Unreachable(f"The response of {self._pool.origin.url} was cut off") from cause

    def without_secrets(self, text: str) -> str:
        """A text of the server for an error: another service may repeat the key of the request."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives.

        Raises:
            StreamCut: The connection ended or was silent for the timeout.
        """
        message = f"The response of {self._pool.origin.url} was cut off"
        while True:
            cause: Optional[Exception] = None
            try:
                data = self.response.read1(_CHUNK_BYTES)
            except (OSError, http.client.HTTPException, ValueError) as error:
                data, cause = None, _safe_cause(error)
            if data is None or (not data and self.response.length):
                raise StreamCut(message) from cause
            if not data:
                return
            yield data

    def finish(self) -> None:
        """Keeps the connection after a body that was read to its end."""
        if self.response.will_close:
            self.close()
        else:
            self.response.close()
            self._pool.give(self._connection)

    def close(self) -> None:
        self.response.close()
        self._pool.drop(self._connection)

    def error(self) -> SvcError:
        """The exception of a response outside 2xx. It reads the body."""
        body = _parse(self.without_secrets(self.read().decode("utf-8", "replace")).encode())
        request_id = self.without_secrets(self.headers.get("X-Request-ID") or "") or None
        detail = body.get("detail") if isinstance(body, dict) else None
        if isinstance(body, dict) and body.get("error") == "rate_limited":
            # The only error body without a detail, of `/api/url`.
            detail = body
        location = self.without_secrets(self.headers.get("Location") or "")
        if location and 300 <= self.status < 400:
            return NotSvc(f"{self._pool.origin.url} redirects to {location}: check base_url")
        if detail is None and request_id is None:
            message = f"A proxy or another service responded at {self._pool.origin.url}"
            if self.status < 500 and self.status not in (408, 413, 429, 431):
                return NotSvc(f"{message}, not svc: HTTP {self.status}")
            detail = f"{message}: HTTP {self.status}"
        waits = _retry_after(self.headers)
        if self.status == 429 and waits is None and detail == _AUTH_LIMITED:
            waits = _AUTH_WINDOW_SECONDS
        kind = _CLASSES.get(self.status, ServerError if self.status >= 500 else ApiError)
        if self.status == 429 and isinstance(detail, dict) and "current_tier" in detail:
            kind = QuotaExceeded
        return kind(self.status, detail, request_id, waits)


#: The sign-in limiter sends no Retry-After. Its window is a minute.
_AUTH_LIMITED = "Too many requests. Please try again later."
_AUTH_WINDOW_SECONDS = 60.0


def _parse(data: bytes) -> Any:
    """The JSON of a body; None for any other body."""
    try:
        return json.loads(data)
    except ValueError:
        return None


def _retry_after(headers: http.client.HTTPMessage) -> Optional[float]:
    """The seconds of Retry-After (RFC 9110, section 10.2.3).

    A date is compared with the clock of the server, because that of this machine may be wrong.
    """
    text = (headers.get("Retry-After") or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    until = _http_date(text)
    if until is None:
        return None
    now = _http_date(headers.get("Date") or "") or datetime.now(timezone.utc)
    return max(0.0, (until - now).total_seconds())


def _http_date(text: str) -> Optional[datetime]:
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=timezone.utc)


def _machine_timezone() -> Optional[str]:
    """The IANA name of the time zone of this machine.

    UTC is not sent: it is the default of servers and containers, and says nothing about the user.
    """
    name = os.environ.get("TZ", "").lstrip(":")
    if "/" not in name or name.startswith("/"):
        name = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    is_utc = name.rpartition("/")[2] in ("", "UTC", "UCT", "GMT", "Universal", "Zulu", "Etc")
    return None if is_utc else name
