

class _Origin:
    """The address of a server, and how to connect to it."""

    def __init__(self, base_url: str, context: Optional[ssl.SSLContext]) -> None:
        url = urllib.parse.urlsplit(_with_scheme(base_url.strip()))
        if url.scheme not in ("http", "https") or not url.hostname:
            place = re.sub("//[^/]*@", "//", base_url)
            raise ValueError(f"base_url is not an HTTP address: {place}")
        self.scheme, self.host = url.scheme, url.hostname
        self.port = url.port or (443 if url.scheme == "https" else 80)
        self.prefix = url.path.rstrip("/")
        self.url = f"{url.scheme}://{url.netloc.rpartition('@')[2]}{self.prefix}"
        self._context = context
        self._proxy = self._find_proxy()

    def _find_proxy(self) -> Optional[urllib.parse.SplitResult]:
        """The proxy of the environment, as `urllib.request` reads it; none for this machine."""
        proxy = urllib.request.getproxies().get(self.scheme)
        if not proxy or _is_this_machine(self.host) or urllib.request.proxy_bypass(self.host):
            return None
        return urllib.parse.urlsplit(_with_scheme(proxy))

    @property
    def place(self) -> str:
        """The address for errors, with the variable of the proxy that may be their reason."""
        names = (f"{self.scheme}_proxy", f"{self.scheme}_proxy".upper())
        variable = next((name for name in names if os.environ.get(name)), "the system")
        return f"{self.url} through the proxy of {variable}" if self._proxy else self.url

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


def _is_this_machine(host: str) -> bool:
    """Whether a host is this machine. A proxy would get the key, and could not reach the server."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_loopback or mapped.is_unspecified)


def _with_scheme(url: str) -> str:
    """Adds the scheme to an address without one: HTTPS for a domain, HTTP for other hosts."""
    if "://" in url:
        return url
    host = urllib.parse.urlsplit(f"//{url}").hostname or ""
    last = host.rpartition(".")[2]
    is_local = "." not in host or last.isdigit() or last in ("local", "localhost")
    return f"{'http' if is_local else 'https'}://{url}"


#: Sockets refuse more, about 24 days.
_MAX_TIMEOUT = 2_000_000.0


def _checked_timeout(seconds: Optional[float]) -> Optional[float]:
    if seconds is None or seconds > _MAX_TIMEOUT:
        return None
    if not seconds > 0:
        raise ValueError("timeout must be more than 0 seconds; None waits without limit")
    return seconds


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

    def take(self, timeout: Optional[float]) -> http.client.HTTPConnection:
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

    def drop(self, connection: http.client.HTTPConnection) -> None:
        """Closes a connection whose response was not read to its end."""
        connection.close()

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
