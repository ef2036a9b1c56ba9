

class _Origin:
    """The address of a server, and how to connect to it."""

    def __init__(self, base_url: str, context: Optional[ssl.SSLContext]) -> None:
        url = urllib.parse.urlsplit(_with_scheme(base_url.strip()))
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ValueError(f"base_url is not an HTTP address: {base_url}")
        self.scheme, self.host = url.scheme, url.hostname
        self.port = url.port or (443 if url.scheme == "https" else 80)
        self.prefix = url.path.rstrip("/")
        self.url = f"{url.scheme}://{url.netloc.rpartition('@')[2]}{self.prefix}"
        self._context = context
        self._proxy = self._find_proxy()

    def _find_proxy(self) -> Optional[urllib.parse.SplitResult]:
        """The proxy of the environment, as `urllib.request` reads it; none for this machine."""
        is_local = self.host == "localhost" or self.host.startswith("127.") or self.host == "::1"
        proxy = urllib.request.getproxies().get(self.scheme)
        if not proxy or is_local or urllib.request.proxy_bypass(self.host):
            return None
        return urllib.parse.urlsplit(_with_scheme(proxy))

    @property
    def target(self) -> str:
        """The start of the request target: the whole URL for a proxy of HTTP."""
        return self.url if self._proxy and self.scheme == "http" else self.prefix

    def connect(self) -> http.client.HTTPConnection:
        """A new connection, which is not open yet."""
        host, port = self.host, self.port
        if self._proxy and self._proxy.hostname:
            host, port = self._proxy.hostname, self._proxy.port or 80
        if self.scheme == "http":
            return http.client.HTTPConnection(host, port)
        self._context = self._context or ssl.create_default_context()
        secure = http.client.HTTPSConnection(host, port, context=self._context)
        if self._proxy:
            secure.set_tunnel(self.host, self.port)
        return secure


def _with_scheme(url: str) -> str:
    """Adds the scheme to an address without one: HTTPS for a domain, HTTP for other hosts."""
    if "://" in url:
        return url
    host = urllib.parse.urlsplit(f"//{url}").hostname or ""
    last = host.rpartition(".")[2]
    is_local = "." not in host or last.isdigit() or last in ("local", "localhost")
    return f"{'http' if is_local else 'https'}://{url}"


class _Pool:
    """The idle connections to a server, for all threads."""

    #: Servers close idle connections; svc does so after 30 seconds.
    IDLE_SECONDS = 10.0

    def __init__(self, origin: _Origin) -> None:
        self.origin = origin
        self._lock = threading.Lock()
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        self._process = os.getpid()
        # Also runs when the program ends.
        weakref.finalize(self, _close_all, self._idle)

    def take(self, timeout: float) -> http.client.HTTPConnection:
        """An idle connection, or a new one that is not open yet."""
        connection = self._reuse() or self.origin.connect()
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        return connection

    def _reuse(self) -> Optional[http.client.HTTPConnection]:
        while True:
            with self._lock:
                if self._process != os.getpid():
                    # A forked process must not share the connections of its parent.
                    _close_all(self._idle)
                    self._process = os.getpid()
                if not self._idle:
                    return None
                since, connection = self._idle.pop()
            is_old = time.monotonic() - since > self.IDLE_SECONDS
            if not is_old and not _has_ended(connection):
                return connection
            connection.close()

    def give(self, connection: http.client.HTTPConnection) -> None:
        """Keeps a connection whose response was read to its end."""
        if connection.sock is not None:
            with self._lock:
                self._idle.append((time.monotonic(), connection))

    def close(self) -> None:
        with self._lock:
            _close_all(self._idle)


def _close_all(idle: list[tuple[float, http.client.HTTPConnection]]) -> None:
    while idle:
        idle.pop()[1].close()


def _has_ended(connection: http.client.HTTPConnection) -> bool:
    """Whether the server closed an idle connection: only then there is something to read."""
    if connection.sock is None:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(0))


class _Upload:
    """A file in a field of a form (`multipart/form-data`, RFC 7578)."""

    def __init__(self, field: str, file: FileInput, filename: Optional[str]) -> None:
        self.field, self.file = field, file
        self.filename = filename or _name_of(file)

    def encode(self) -> tuple[bytes, str]:
        """The body and its content type."""
        boundary = uuid.uuid4().hex
        name = re.sub(r'[\r\n"\\]', "_", self.filename)
        head = (
            f"--{boundary}\r\n"
            f'Content-Disposition: form-data; name="{self.field}"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = head.encode() + _read_file(self.file) + f"\r\n--{boundary}--\r\n".encode()
        return body, f"multipart/form-data; boundary={boundary}"


def _name_of(file: FileInput) -> str:
    name = file if isinstance(file, (str, os.PathLike)) else getattr(file, "name", None)
    return os.path.basename(os.fspath(name)) if isinstance(name, (str, os.PathLike)) else "file"


def _read_file(file: FileInput) -> bytes:
    if isinstance(file, (bytes, bytearray)):
        return bytes(file)
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            return opened.read()
    return file.read()


_CHUNK_BYTES = 64 * 1024


def _chunks_of(file: FileInput) -> Iterator[bytes]:
    """The content of a file of any size, piece by piece."""
    if isinstance(file, (bytes, bytearray)):
        yield bytes(file)
        return
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            yield from iter(lambda: opened.read(_CHUNK_BYTES), b"")
        return
    yield from iter(lambda: file.read(_CHUNK_BYTES), b"")


def _is_rereadable(file: Optional[FileInput]) -> bool:
    return file is None or isinstance(file, (bytes, bytearray, str, os.PathLike))


class _Request:
    """One request, which may be sent several times."""

    def __init__(self, method: str, path: str, body: Any, file: Optional[FileInput]) -> None:
        self.method, self.path, self.file = method, path, file
        self.headers: dict[str, str] = {}
        self.data: Optional[bytes] = None
        self.can_repeat = _is_rereadable(file)
        if isinstance(body, _Upload):
            self.data, self.headers["Content-Type"] = body.encode()
        elif body is not None:
            self.data = json.dumps(_given(body), allow_nan=False).encode()
            self.headers["Content-Type"] = "application/json"
        elif file is not None:
            self.headers["Content-Type"] = "application/octet-stream"
            self.headers["Transfer-Encoding"] = "chunked"

    def send(self, connection: http.client.HTTPConnection, headers: Mapping[str, str]) -> None:
        body: Any = self.data
        if self.file is not None:
            body = _chunks_of(self.file)
        elif body is None and self.method in ("POST", "PUT", "PATCH"):
            body = b""
        connection.request(
            self.method,
            self.path,
            body=body,
            headers={**headers, **self.headers},
            encode_chunked=self.file is not None,
        )


def _given(body: Any) -> Any:
    """An object without the fields that are omitted."""
    if isinstance(body, Mapping):
        return {name: value for name, value in body.items() if value is not OMIT}
    return body


def _segment(value: str) -> str:
    """A part of a path. A dot alone would be resolved as a relative path."""
    text = urllib.parse.quote(str(value), safe="")
    return text.replace(".", "%2E") if text in (".", "..") else text


def _query_text(query: Mapping[str, Any]) -> str:
    pairs = [
        (name, str(value).lower() if isinstance(value, bool) else str(value))
        for name, value in query.items()
        if value is not OMIT and value is not None
    ]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


class _Reply:
    """The response to a request, whose body may not be read yet."""

    def __init__(
        self,
        pool: _Pool,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
    ) -> None:
        self._pool, self._connection, self.response = pool, connection, response
        self.status, self.headers = response.status, response.headers

    def read(self) -> bytes:
        """The whole body. The connection can then be used again."""
        try:
            data = self.response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Unreachable(f"The response of {self._pool.origin.url} was cut off") from error
        self.finish()
        return data

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives.

        Raises:
            StreamCut: The connection ended or was silent for the timeout.
        """
        message = f"The response of {self._pool.origin.url} was cut off"
        while True:
            try:
                data = self.response.read1(_CHUNK_BYTES)
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise StreamCut(message) from error
            if not data:
                if self.response.length:
                    raise StreamCut(message)
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
        self._connection.close()

    def error(self) -> SvcError:
        """The exception of a response outside 2xx. It reads the body."""
        body = _parse(self.read())
        request_id = self.headers.get("X-Request-ID")
        detail = body.get("detail") if isinstance(body, dict) else None
        if isinstance(body, dict) and body.get("error") == "rate_limited":
            # The only error body without a detail, of `/api/url`.
            detail = body
        location = self.headers.get("Location")
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


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
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
