

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
        timeout: Optional[float] = 60.0,
        max_retries: int = 2,
        max_wait: float = 30.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """
        Args:
            base_url: The address of the server. Default: SVC_URL, or http://localhost:3000.
            api_key: An API key or an access token. Default: SVC_API_KEY, without a refresh
                token. Once the client has signed in, it uses the sign-in instead.
            refresh_token: That of an earlier sign-in, to continue it.
            on_refresh_token: Called with each new refresh token, to store it: the old one no
                longer works.
            org_id: The organization to act in.
            user_timezone: The IANA name of the user's time zone. Default: that of this machine.
            timeout: Seconds to wait for a connection, and for the next data of a response. None
                waits without limit.
            max_retries: How often a failed call is sent again at most.
            max_wait: The longest pause before a retry, in seconds. A server that asks for a
                longer one is not asked again; the error has the time in `retry_after`.
            ssl_context: The certificates to trust. Default: those of this machine.
        """
        origin = _Origin(base_url or os.environ.get("SVC_URL") or DEFAULT_URL, ssl_context)
        self._pool = _Pool(origin)
        self._sign_in = _SignIn(_secret("refresh_token", refresh_token), on_refresh_token)
        from_environment = None if refresh_token else os.environ.get("SVC_API_KEY")
        self._api_key = _secret("api_key", api_key or from_environment)
        self._org_id = org_id
        self._timezone = user_timezone or _machine_timezone()
        self._timeout = _checked_timeout(timeout)
        self._max_retries = max_retries
        self._max_wait = max_wait
        self._group()

    def _group(self) -> None:
{{groups}}

    def __repr__(self) -> str:
        return f"Svc({self.base_url!r})"

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
        timeout: Optional[float] = OMIT,
        max_retries: int = OMIT,
        max_wait: float = OMIT,
    ) -> Svc:
        """A client with other options, and the same sign-in and connections."""
        other = copy.copy(self)
        other._org_id = self._org_id if org_id is OMIT else org_id
        other._timeout = self._timeout if timeout is OMIT else _checked_timeout(timeout)
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
        token = self._sign_in.refresh_token
        return None if token is None else str(token)

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
            return answer
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
