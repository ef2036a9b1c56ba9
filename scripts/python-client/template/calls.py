
    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        upload: Optional[Upload] = None,
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
            upload: Sent as a form with one file.
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
        is_read = stream is None and not download
        reply = self._send(request, accept, auth, can_repeat, is_read)
        if reply is None:
            return None
        if stream is not None:
            if reply.headers.get_content_type() != stream:
                reply.close()
                raise self._not_svc()
            return Stream(reply, stream, last)
        if download:
            return Download(reply)
        answer = _parse(reply.data)
        if path.startswith("/api/auth/"):
            self._sign_in.adopt(reply, answer)
        if result is not None and not _could_match(result, answer):
            raise self._not_svc()
        return answer

    def _not_svc(self) -> NotSvc:
        return NotSvc(f"The service at {self.base_url} is not svc")

    def _send(
        self, request: _Request, accept: str, auth: str, repeatable: bool, is_read: bool
    ) -> Optional[_Reply]:
        """The successful response; None if an earlier attempt to delete succeeded."""
        failures = 0
        is_renewed = may_be_done = False
        if auth == "bearer" and not self._api_key and self._sign_in.access_token is None:
            # A sign-in that continues with a refresh token alone.
            is_renewed = self._sign_in.renew(None, self._refresh)
        while True:
            token = self._sign_in.access_token if auth == "bearer" else None
            try:
                reply = self._exchange(request, self._headers(accept, auth, token))
                if 200 <= reply.status < 300:
                    reply.data = reply.read() if is_read else b""
                    return reply
                error = reply.error()
            except Unreachable as unreachable:
                error = unreachable
            if token and not is_renewed and request.can_repeat and isinstance(error, Unauthorized):
                is_renewed = True
                if self._sign_in.renew(token, self._refresh):
                    continue
            if may_be_done and request.method == "DELETE" and isinstance(error, NotFound):
                return None
            wait = self._pause(error, failures, repeatable)
            if wait is None or failures >= self._max_retries or not request.can_repeat:
                raise error
            may_be_done = may_be_done or _may_be_done(error)
            failures += 1
            self._sleep(wait)

    def _refresh(self) -> Any:
        return self.account.refresh()

    def _sleep(self, seconds: float) -> None:
        time.sleep(seconds)

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
                return wait if can_wait and (repeatable or error.status == 429) else None
            return backoff if repeatable and error.status != 429 else None
        if not isinstance(error, Unreachable) or isinstance(error, NotSvc):
            return None
        return backoff if repeatable or not error.is_sent else None

    def _headers(self, accept: str, auth: str, token: Optional[_Secret]) -> dict[str, str]:
        agent = f"svc-client-python/{__version__}"
        headers: dict[str, str] = {"Accept": accept, "User-Agent": agent}
        credential = token or self._api_key
        if auth == "bearer":
            if credential:
                headers["Authorization"] = _Secret(f"Bearer {credential}")
            if self._org_id:
                headers["X-Org-ID"] = self._org_id
            if self._timezone:
                headers["X-Timezone"] = self._timezone
        if auth == "cookie" and self._sign_in.refresh_token:
            headers["Cookie"] = _Secret(f"{REFRESH_COOKIE}={self._sign_in.refresh_token}")
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
            self._connected(connection)
            is_sent = True
            # The server may respond to a body, such as one that is too large, before its end.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                request.send(connection, headers)
            response = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self._pool.drop(connection)
            failure, cause = self._unreachable(error, is_sent), _safe_cause(error)
        except BaseException:
            self._pool.drop(connection)
            raise
        else:
            return _Reply(self._pool, connection, response, self._secrets(headers))
        # Not within `except`: the context of an exception has the functions that sent the key.
        raise failure from cause

    def _connected(self, connection: http.client.HTTPConnection) -> None:
        """Called before a request is sent."""

    @staticmethod
    def _secrets(headers: Mapping[str, str]) -> list[str]:
        values = [value for value in headers.values() if isinstance(value, _Secret)]
        return [re.split("[ =]", value, maxsplit=1)[1] for value in values]

    def _unreachable(self, error: Exception, is_sent: bool) -> Unreachable:
        if isinstance(error, socket.timeout):
            message = f"No answer from {self._pool.origin.place} in {self._timeout:g} s"
            return Unreachable(message, is_sent)
        if isinstance(error, (http.client.BadStatusLine, http.client.LineTooLong)) and not (
            isinstance(error, http.client.RemoteDisconnected)
        ):
            return self._not_svc()
        # The text of another error may have a part of the response.
        reason = str(error) if isinstance(error, OSError) else type(error).__name__
        return Unreachable(f"No answer from {self._pool.origin.place}: {reason}", is_sent)


def _safe_cause(error: Exception) -> Optional[Exception]:
    """The failure of a connection, without the functions that sent the request.

    Others have the text of a response, in which another service may repeat the key.
    """
    if not isinstance(error, OSError) or isinstance(error, http.client.HTTPException):
        return None
    error.__context__ = None
    return error.with_traceback(None)


def _may_be_done(error: SvcError) -> bool:
    """Whether a failed request may have had its effect."""
    return error.is_sent if isinstance(error, Unreachable) else isinstance(error, ServerError)


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
