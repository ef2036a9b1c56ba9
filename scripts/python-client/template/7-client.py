

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
            self._run(renewal, refresh)
        renewal.is_done.wait()
        if renewal.error is not None:
            raise renewal.error
        return True

    def _run(self, renewal: _Renewal, refresh: Callable[[], Any]) -> None:
        try:
            refresh()
        except BaseException as error:
            renewal.error = error
            if isinstance(error, Unauthorized):
                self.end()
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


class MfaRequired(SvcError):
    """The account needs a second factor: call sign_in with a code, or `mfa.verify_mfa`.

    Attributes:
        partial_token: The token for `mfa.verify_mfa`, valid for 5 minutes.
    """

    def __init__(self, partial_token: str) -> None:
        super().__init__("The account needs a second factor. Pass code=, from the authenticator.")
        self.partial_token = partial_token


class Svc:
    """A client of one svc server. Threads can share it.

        with Svc("https://svc.example.com", api_key="svc_...") as svc:
            svc.memories.remember(content="Ada prefers tea to coffee.")

    Each endpoint is a method, grouped by its part of the API. Methods raise `ApiError` for a
    response outside 2xx and `Unreachable` without one. A failed call is sent again if that is
    safe: if it never reached the server, changes nothing the second time, or was refused with
    the time to wait.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        refresh_token: Optional[str] = None,
        on_refresh_token: Optional[Callable[[str], None]] = None,
        org_id: Optional[str] = None,
        user_timezone: Optional[str] = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        max_wait: float = 30.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """
        Args:
            base_url: The address of the server. Default: SVC_URL, or http://localhost:3000.
            api_key: An API key or an access token. Default: SVC_API_KEY. Once the client has
                signed in, it uses the sign-in instead.
            refresh_token: That of an earlier sign-in, to continue it.
            on_refresh_token: Called with each new refresh token, to store it: the old one no
                longer works.
            org_id: The organization to act in.
            user_timezone: The IANA name of the user's time zone. Default: that of this machine.
            timeout: Seconds to wait for a connection, and for the next data of a response.
            max_retries: How often a failed call is sent again at most.
            max_wait: The longest pause before a retry, in seconds. A server that asks for a
                longer one is not asked again; the error has the time in `retry_after`.
            ssl_context: The certificates to trust. Default: those of this machine.
        """
        origin = _Origin(base_url or os.environ.get("SVC_URL") or DEFAULT_URL, ssl_context)
        self._pool = _Pool(origin)
        self._sign_in = _SignIn(refresh_token, on_refresh_token)
        self._api_key = api_key or os.environ.get("SVC_API_KEY", "").strip() or None
        self._org_id = org_id
        self._timezone = user_timezone or _machine_timezone()
        self._timeout = timeout
        self._max_retries = max_retries
        self._max_wait = max_wait
        self._group()

    def _group(self) -> None:
{{groups}}

    def __enter__(self) -> Svc:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the idle connections. A later call opens a new one."""
        self._pool.close()

    def with_options(
        self,
        *,
        org_id: Optional[str] = OMIT,
        timeout: float = OMIT,
        max_retries: int = OMIT,
        max_wait: float = OMIT,
    ) -> Svc:
        """A client with other options, and the same sign-in and connections."""
        other = copy.copy(self)
        other._org_id = self._org_id if org_id is OMIT else org_id
        other._timeout = self._timeout if timeout is OMIT else timeout
        other._max_retries = self._max_retries if max_retries is OMIT else max_retries
        other._max_wait = self._max_wait if max_wait is OMIT else max_wait
        other._group()
        return other

    @property
    def base_url(self) -> str:
        return self._pool.origin.url

    @property
    def refresh_token(self) -> Optional[str]:
        """The refresh token of the sign-in. It is a secret, valid for a year."""
        return self._sign_in.refresh_token

    def sign_up(self, email: str, password: str) -> TokenResponse:
        """Creates an account and signs in. The address is not verified yet.

        Raises:
            BadRequest: The address or the password is not accepted.
            Conflict: `email_taken`.
        """
        return self.account.sign_up(email=email, password=password, confirm_password=password)

    def sign_in(self, email: str, password: str, code: Optional[str] = None) -> TokenResponse:
        """Signs in. The client renews the access token by itself from then on.

        Args:
            code: The code of the second factor, or a recovery code.

        Raises:
            Unauthorized: `wrong_credentials`.
            MfaRequired: The account has a second factor, and there is no code.
        """
        answer: Any = self.account.sign_in(email=email, password=password)
        if not answer.get("mfa_required"):
            return answer  # type: ignore[no-any-return]
        if code is None:
            raise MfaRequired(answer["partial_token"])
        return self.mfa.verify_mfa(partial_token=answer["partial_token"], code=code)

    def sign_out(self) -> None:
        """Ends the sign-in of this client."""
        if self._sign_in.refresh_token is not None:
            self.account.sign_out()
        self._sign_in.end()

    def conversation(
        self, session_id: Optional[str] = None, *, title: Optional[str] = None, **options: Any
    ) -> Conversation:
        """A conversation that the server remembers.

            with svc.conversation(title="A trip to Paris") as chat:
                for text in chat.ask("Where should I eat?"):
                    print(text, end="", flush=True)

        Args:
            session_id: The chat session to continue. Default: a new one.
            title: The title of a new session. Default: derived from the first message.
            options: Arguments of `conversations.chat_stream` for each message, such as `depth`.
        """
        return Conversation(self, session_id, title, options)

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        upload: Optional[_Upload] = None,
        file: Optional[FileInput] = None,
        result: Any = None,
        stream: Optional[str] = None,
        last: Optional[str] = None,
        download: bool = False,
        auth: Literal["bearer", "cookie", "none"] = "bearer",
        repeatable: Optional[bool] = None,
    ) -> Any:
        """Calls any endpoint, such as one of a newer server that this client does not know.

        Args:
            body: Sent as JSON.
            file: Sent as the body, piece by piece.
            result: The type of the response: a TypedDict, `dict` or `list`.
            stream: The media type of a streamed response.
            last: The event without which a stream is incomplete.
            repeatable: Whether the request may be sent again after it may have had its effect.
                Default: for GET and DELETE.

        Returns:
            The parsed body, a `Stream` or a `Download`.

        Raises:
            ApiError: The response has a status outside 2xx.
            Unreachable: There is no complete response.
            NotSvc: The response is not one of svc.
        """
        target = f"{self._pool.origin.target}{path}{_query_text(query or {})}"
        request = _Request(method, target, upload if upload is not None else body, file)
        accept = stream or ("*/*" if download else "application/json")
        can_repeat = method in ("GET", "DELETE") if repeatable is None else repeatable
        reply = self._send(request, accept, auth, can_repeat)
        if reply is None:
            return None
        if stream is not None:
            if reply.headers.get_content_type() != stream:
                reply.close()
                raise self._not_svc()
            return Stream(reply, stream, last)
        if download:
            return Download(reply)
        answer = _parse(reply.read())
        if path.startswith("/api/auth/"):
            self._sign_in.adopt(reply, answer)
        if result is not None and not _could_match(result, answer):
            raise self._not_svc()
        return answer

    def _not_svc(self) -> NotSvc:
        return NotSvc(f"The service at {self.base_url} is not svc")

    def _send(
        self, request: _Request, accept: str, auth: str, repeatable: bool
    ) -> Optional[_Reply]:
        """The successful response; None if an earlier attempt to delete succeeded."""
        failures = 0
        is_renewed = may_be_done = False
        while True:
            token = self._sign_in.access_token if auth == "bearer" else None
            try:
                reply = self._exchange(request, self._headers(accept, auth, token))
                if 200 <= reply.status < 300:
                    return reply
                error = reply.error()
            except Unreachable as unreachable:
                error = unreachable
            if not is_renewed and request.can_repeat and self._can_renew(error, auth, token):
                is_renewed = True
                if self._sign_in.renew(token, self.account.refresh):
                    continue
            if may_be_done and request.method == "DELETE" and isinstance(error, NotFound):
                return None
            wait = self._pause(error, failures, repeatable)
            if wait is None or failures >= self._max_retries or not request.can_repeat:
                raise error
            may_be_done = may_be_done or not isinstance(error, RateLimited)
            failures += 1
            time.sleep(wait)

    def _can_renew(self, error: SvcError, auth: str, token: Optional[str]) -> bool:
        """Whether the access token has expired, or there is none yet for a refresh token."""
        is_signed_in = self._sign_in.refresh_token is not None or token is not None
        return auth == "bearer" and is_signed_in and isinstance(error, Unauthorized)

    def _pause(self, error: SvcError, failures: int, repeatable: bool) -> Optional[float]:
        """The seconds before a retry; None if there should be none.

        A random part keeps clients that failed together from coming back together.
        """
        backoff = random.uniform(0.0, min(8.0, 0.5 * 2.0**failures))
        if isinstance(error, ApiError):
            if isinstance(error, QuotaExceeded) or error.status not in (429, 500, 502, 503, 504):
                return None
            if error.retry_after is not None:
                wait = error.retry_after + backoff * min(1.0, error.retry_after)
                can_wait = error.retry_after <= self._max_wait
                return wait if can_wait and error.status in (429, 503) else None
            return backoff if repeatable and error.status != 429 else None
        if not isinstance(error, Unreachable) or isinstance(error, NotSvc):
            return None
        return backoff if repeatable or not error.is_sent else None

    def _headers(self, accept: str, auth: str, token: Optional[str]) -> dict[str, str]:
        headers = {"Accept": accept, "User-Agent": f"svc-client-python/{__version__}"}
        credential = token or self._api_key
        if auth == "bearer":
            if credential:
                headers["Authorization"] = f"Bearer {credential}"
            if self._org_id:
                headers["X-Org-ID"] = self._org_id
            if self._timezone:
                headers["X-Timezone"] = self._timezone
        if auth == "cookie" and self._sign_in.refresh_token:
            headers["Cookie"] = f"{REFRESH_COOKIE}={self._sign_in.refresh_token}"
        return headers

    def _exchange(self, request: _Request, headers: Mapping[str, str]) -> _Reply:
        """Sends a request once.

        Raises:
            Unreachable: The connection failed, or there was no response within the timeout.
        """
        connection = self._pool.take(self._timeout)
        is_sent = False
        try:
            if connection.sock is None:
                connection.connect()
                connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            is_sent = True
            try:
                request.send(connection, headers)
            except (BrokenPipeError, ConnectionResetError):
                # The server may respond to a body, such as one that is too large, before its end.
                pass
            response = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._unreachable(error, is_sent) from error
        except BaseException:
            connection.close()
            raise
        return _Reply(self._pool, connection, response)

    def _unreachable(self, error: Exception, is_sent: bool) -> Unreachable:
        if isinstance(error, socket.timeout):
            return Unreachable(f"No answer from {self.base_url} in {self._timeout:g} s", is_sent)
        if isinstance(error, (http.client.BadStatusLine, http.client.LineTooLong)) and not (
            isinstance(error, http.client.RemoteDisconnected)
        ):
            return self._not_svc()
        return Unreachable(f"No answer from {self.base_url}: {error}", is_sent)


def _could_match(result: Any, answer: Any) -> bool:
    """Whether a body could be a result.

    One required field is enough, so that servers of other versions still work; JSON of another
    service has none of them.
    """
    if result is list:
        return isinstance(answer, list)
    if not isinstance(answer, dict):
        return False
    required = getattr(result, "__required_keys__", frozenset())
    return not required or any(name in answer for name in required)
