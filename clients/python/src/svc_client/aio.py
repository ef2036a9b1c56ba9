"""The client of svc for asyncio. It has the methods of `svc_client.Svc`, to be awaited.

    from svc_client.aio import AsyncSvc

    async with AsyncSvc("http://localhost:3000", api_key="svc_...") as svc:
        await svc.memories.remember(content="Ada prefers tea to coffee.")
        async for memory in svc.memories.list_memories_all():
            print(memory["content_text"])

This file is generated from the contract of the server, by `scripts/python-client.ts` of svc. A
change belongs in the contract or in `scripts/python-client/template`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import http.client
import os
import socket
import ssl
import threading
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from typing import (
    Any,
    AsyncIterator,
    Callable,
    Generic,
    Iterator,
    Literal,
    Mapping,
    Optional,
    Union,
)

from . import *  # noqa: F403
from . import _Calls, _Pool


class _Ended(Exception):
    """The task that waited for a call was cancelled."""


class _SharedPool(_Pool):
    """The connections of a client, which know the work that uses them."""

    def __init__(self, pool: _Pool) -> None:
        super().__init__(pool.origin)
        self._used: dict[http.client.HTTPConnection, _Work] = {}

    def use(self, connection: http.client.HTTPConnection, work: _Work) -> None:
        with self._lock:
            if work.is_ended.is_set():
                raise _Ended
            self._used[connection] = work

    def give(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._used.pop(connection, None)
        super().give(connection)

    def drop(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._used.pop(connection, None)
        super().drop(connection)

    def end(self, work: _Work) -> None:
        """Ends the work: a thread that waits for its connection goes on at once, with an error."""
        with self._lock:
            work.is_ended.set()
            for connection, user in self._used.items():
                if user is work and connection.sock is not None:
                    with contextlib.suppress(OSError):
                        connection.sock.shutdown(socket.SHUT_RDWR)


class _Work(Svc):
    """One call, or the parts of one stream, in a thread at a time."""

    is_ended: threading.Event
    _base: Svc
    _threads: ThreadPoolExecutor
    _running: Optional[Future[Any]]

    @classmethod
    def of(cls, svc: Svc, threads: ThreadPoolExecutor) -> _Work:
        """Work with the options, the sign-in and the connections of a client."""
        work = cls.__new__(cls)
        work.__dict__.update(svc.__dict__)
        work.is_ended, work._base, work._threads = threading.Event(), svc, threads
        work._running = None
        work._group()
        return work

    def _refresh(self) -> Any:
        # Other work may wait for the same renewal, so it goes on when this work ends.
        return self._base._refresh()

    def end(self, close: Callable[[], None]) -> None:
        """Ends the work, and closes its response once no thread reads it any more."""
        self._shared.end(self)
        if self._running:
            self._running.add_done_callback(lambda _: close())
        else:
            close()

    def _connected(self, connection: http.client.HTTPConnection) -> None:
        self._shared.use(connection, self)

    def _sleep(self, seconds: float) -> None:
        if self.is_ended.wait(seconds):
            raise _Ended

    @property
    def _shared(self) -> _SharedPool:
        pool = self._pool
        assert isinstance(pool, _SharedPool)
        return pool

    async def run(
        self,
        function: Callable[..., T],
        *arguments: Any,
        discard: Optional[Callable[[Any], Any]] = None,
    ) -> T:
        """Runs a function in a thread. Cancelling the task ends the request.

        Args:
            discard: Closes a result that came when the task was already cancelled.
        """
        loop = asyncio.get_running_loop()
        running = self._running = self._threads.submit(function, *arguments)
        try:
            return await asyncio.wrap_future(running, loop=loop)
        except asyncio.CancelledError:
            self._shared.end(self)
            if discard:
                running.add_done_callback(functools.partial(_discard, discard))
            raise


def _discard(close: Callable[[Any], Any], done: Future[Any]) -> None:
    if not done.cancelled() and done.exception() is None:
        close(done.result())


class _AsyncCalls:
    #: The calls of `Svc`, which these run in threads.
    _sync: type[_Calls]

    def __init__(self, svc: AsyncSvc) -> None:
        self._svc = svc

    async def _run(self, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        work = self._svc._work()
        return await work.run(functools.partial(function, self._sync(work), *arguments, **named))

    async def _stream(
        self, function: Callable[..., Stream[T]], *arguments: Any, **named: Any
    ) -> AsyncStream[T]:
        work = self._svc._work()
        call = functools.partial(function, self._sync(work), *arguments, **named)
        return AsyncStream(await work.run(call, discard=Stream.close), work)

    async def _download(
        self, function: Callable[..., Download], *arguments: Any, **named: Any
    ) -> AsyncDownload:
        work = self._svc._work()
        call = functools.partial(function, self._sync(work), *arguments, **named)
        return AsyncDownload(await work.run(call, discard=Download.close), work)

    def _items(
        self, function: Callable[..., Iterator[T]], *arguments: Any, **named: Any
    ) -> AsyncItems[T]:
        work = self._svc._work()
        return AsyncItems(function(self._sync(work), *arguments, **named), work)


_END: Any = object()


class AsyncItems(AsyncIterator[T]):
    """The items of all pages of a list. A page is requested when it is needed."""

    def __init__(self, parts: Iterator[T], work: _Work) -> None:
        self._parts, self._work = parts, work

    def __aiter__(self) -> AsyncItems[T]:
        return self

    async def __anext__(self) -> T:
        part = await self._work.run(next, self._parts, _END)
        if part is _END:
            raise StopAsyncIteration
        return part


class AsyncStream(AsyncItems[T]):
    """The parts of a streamed response, as they arrive.

        async with await svc.conversations.chat_stream(message="Hello") as events:
            async for event in events:
                ...

    Cancelling the task that reads, `aclose()` and the end of `async with` close the connection:
    the server then stops to work for it.

    Raises:
        StreamFailed: The server ended the stream with an error.
        StreamCut: The connection ended before the stream.
    """

    def __init__(self, stream: Stream[T], work: _Work) -> None:
        super().__init__(stream, work)
        self._stream = stream

    @property
    def last_event_id(self) -> Optional[str]:
        """The id of the last event that had one."""
        return self._stream.last_event_id

    async def __aenter__(self) -> AsyncStream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        self._work.end(self._stream.close)


class AsyncDownload:
    """The content of a file, as it arrives. Leaving `async with` closes the connection.

    Attributes:
        type: The media type.
        size: The size in bytes, if the server sent it.
    """

    def __init__(self, download: Download, work: _Work) -> None:
        self.type, self.size = download.type, download.size
        self._download, self._work = download, work
        self._pieces = iter(download)

    def __aiter__(self) -> AsyncDownload:
        return self

    async def __anext__(self) -> bytes:
        piece = await self._work.run(next, self._pieces, _END)
        if piece is _END:
            raise StopAsyncIteration
        return piece

    async def __aenter__(self) -> AsyncDownload:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        self._work.end(self._download.close)

    async def read(self) -> bytes:
        """The rest of the content."""
        return await self._work.run(self._download.read)

    async def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the content to a file, which exists only once it is complete."""
        await self._work.run(self._download.save, path)


class AsyncAnswer(AsyncItems[str]):
    """The answer to a message, in pieces of text. It has the attributes of `svc_client.Answer`."""

    def __init__(self, answer: Answer, work: _Work) -> None:
        super().__init__(answer, work)
        self._answer = answer

    @property
    def text(self) -> str:
        return self._answer.text

    @property
    def session_id(self) -> Optional[str]:
        return self._answer.session_id

    @property
    def message(self) -> Optional[ChatMessage]:
        return self._answer.message

    @property
    def memories(self) -> list[RecalledMemory]:
        return self._answer.memories

    @property
    def tools(self) -> list[Any]:
        return self._answer.tools

    async def __aenter__(self) -> AsyncAnswer:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def read(self) -> str:
        """The whole text. It waits for the end of the answer."""
        return await self._work.run(self._answer.read)

    async def aclose(self) -> None:
        """Stops the answer. The server keeps the text so far."""
        self._work.end(self._answer.close)


class AsyncConversation:
    """A chat session, from `AsyncSvc.conversation`.

        async with svc.conversation(title="A trip to Paris") as chat:
            async for text in await chat.ask("Where should I eat?"):
                print(text, end="", flush=True)
    """

    def __init__(
        self,
        svc: AsyncSvc,
        session_id: Optional[str],
        title: Optional[str],
        options: Mapping[str, Any],
    ) -> None:
        self._svc = svc
        self._inner = Conversation(svc._sync, session_id, title, options)
        self._answer: Optional[weakref.ref[AsyncAnswer]] = None

    @property
    def session_id(self) -> Optional[str]:
        """The id of the session; None before the first message of a new one."""
        return self._inner.session_id

    async def __aenter__(self) -> AsyncConversation:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stops the answer that is not complete. The session stays on the server."""
        answer = self._answer() if self._answer else None
        if answer:
            await answer.aclose()

    async def ask(self, message: str, **options: Any) -> AsyncAnswer:
        """Sends a message. As `Conversation.ask`."""
        await self.aclose()
        self._inner._answer = None
        work = self._inner._svc = self._svc._work()
        ask = functools.partial(self._inner.ask, message, **options)
        answer = AsyncAnswer(await work.run(ask, discard=Answer.close), work)
        self._answer = weakref.ref(answer)
        return answer

    async def messages(self, limit: int = 50) -> list[ChatMessage]:
        """The latest messages, oldest first."""
        return await self._svc._work().run(self._inner.messages, limit)


class AsyncSvc:
    """A client of one svc server for asyncio, with the arguments and the methods of `Svc`.

    Requests run in threads of this client, one for each call or part of a stream that is waited
    for. Cancelling a task closes the connection of its call. `on_refresh_token` is called in such
    a thread.

    Args:
        max_connections: The largest number of calls at the same time; others wait.
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
        max_connections: int = 100,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._sync = Svc(
            base_url,
            api_key,
            refresh_token=refresh_token,
            on_refresh_token=on_refresh_token,
            org_id=org_id,
            user_timezone=user_timezone,
            timeout=timeout,
            max_retries=max_retries,
            max_wait=max_wait,
            ssl_context=ssl_context,
        )
        self._sync._pool = _SharedPool(self._sync._pool)
        self._threads = ThreadPoolExecutor(max_connections, thread_name_prefix="svc")
        self._group()

    def _group(self) -> None:
        self.account = AsyncAccountCalls(self)
        self.sessions = AsyncSessionsCalls(self)
        self.mfa = AsyncMfaCalls(self)
        self.passkeys = AsyncPasskeysCalls(self)
        self.email_verification = AsyncEmailVerificationCalls(self)
        self.api_keys = AsyncApiKeysCalls(self)
        self.mcp_login = AsyncMcpLoginCalls(self)
        self.oauth = AsyncOauthCalls(self)
        self.profile = AsyncProfileCalls(self)
        self.organizations = AsyncOrganizationsCalls(self)
        self.admin = AsyncAdminCalls(self)
        self.billing = AsyncBillingCalls(self)
        self.memories = AsyncMemoriesCalls(self)
        self.captures = AsyncCapturesCalls(self)
        self.identity = AsyncIdentityCalls(self)
        self.introspection = AsyncIntrospectionCalls(self)
        self.proactive = AsyncProactiveCalls(self)
        self.senses = AsyncSensesCalls(self)
        self.reflexes = AsyncReflexesCalls(self)
        self.conversations = AsyncConversationsCalls(self)
        self.chat_sessions = AsyncChatSessionsCalls(self)
        self.agents = AsyncAgentsCalls(self)
        self.files = AsyncFilesCalls(self)
        self.email = AsyncEmailCalls(self)
        self.direct_messages = AsyncDirectMessagesCalls(self)
        self.shares = AsyncSharesCalls(self)
        self.activity = AsyncActivityCalls(self)
        self.system = AsyncSystemCalls(self)

    def _work(self) -> _Work:
        return _Work.of(self._sync, self._threads)

    def __repr__(self) -> str:
        return f"AsyncSvc({self.base_url!r})"

    async def __aenter__(self) -> AsyncSvc:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the idle connections and ends the threads. The client can then not be used."""
        self._sync.close()
        self._threads.shutdown(wait=False)

    def with_options(
        self,
        *,
        org_id: Optional[str] = OMIT,
        timeout: Optional[float] = OMIT,
        max_retries: int = OMIT,
        max_wait: float = OMIT,
    ) -> AsyncSvc:
        """A client with other options, and the same sign-in, connections and threads."""
        other = AsyncSvc.__new__(AsyncSvc)
        other._threads = self._threads
        other._sync = self._sync.with_options(
            org_id=org_id, timeout=timeout, max_retries=max_retries, max_wait=max_wait
        )
        other._group()
        return other

    @property
    def base_url(self) -> str:
        return self._sync.base_url

    @property
    def refresh_token(self) -> Optional[str]:
        """The refresh token of the sign-in. It is a secret, valid for a year."""
        return self._sync.refresh_token

    async def sign_up(self, email: str, password: str) -> TokenResponse:
        """Creates an account and signs in. As `Svc.sign_up`."""
        work = self._work()
        return await work.run(work.sign_up, email, password)

    async def sign_in(
        self, email: str, password: str, code: Optional[str] = None
    ) -> TokenResponse:
        """Signs in. As `Svc.sign_in`."""
        work = self._work()
        return await work.run(work.sign_in, email, password, code)

    async def sign_out(self) -> None:
        """Ends the sign-in of this client."""
        work = self._work()
        await work.run(work.sign_out)

    def conversation(
        self, session_id: Optional[str] = None, *, title: Optional[str] = None, **options: Any
    ) -> AsyncConversation:
        """A conversation that the server remembers. As `Svc.conversation`."""
        return AsyncConversation(self, session_id, title, options)

    async def call(self, method: str, path: str, **options: Any) -> Any:
        """Calls any endpoint. As `Svc.call`, without its streams and downloads."""
        work = self._work()
        return await work.run(functools.partial(work.call, method, path, **options))


class AsyncAccountCalls(_AsyncCalls):
    _sync = AccountCalls

    async def current_user(self) -> CurrentUser:
        """Get the signed-in user."""
        return await self._run(AccountCalls.current_user)

    async def me(self) -> Me:
        """Get the caller with tier, credential and organization."""
        return await self._run(AccountCalls.me)

    async def refresh(self) -> AccessToken:
        """Exchange the refresh cookie for a new access token."""
        return await self._run(AccountCalls.refresh)

    async def set_onboarding(self, *, completed: bool) -> None:
        """Record whether the user has completed or dismissed the first steps."""
        return await self._run(AccountCalls.set_onboarding, completed=completed)

    async def sign_in(self, *, email: str, password: str) -> Union[TokenResponse, MfaPending]:
        """Sign in with email and password."""
        return await self._run(AccountCalls.sign_in, email=email, password=password)

    async def sign_out(self) -> SignedOut:
        """End the session of the refresh cookie and clear it."""
        return await self._run(AccountCalls.sign_out)

    async def sign_up(self, *, email: str, password: str, confirm_password: str) -> TokenResponse:
        """Create an account and sign in."""
        return await self._run(
            AccountCalls.sign_up,
            email=email,
            password=password,
            confirm_password=confirm_password,
        )

    async def mail_sign_in_code(self, *, email: str) -> MailedCodeRequest:
        """Mail a code to sign in with if the account exists; the response does not reveal it."""
        return await self._run(AccountCalls.mail_sign_in_code, email=email)

    async def sign_in_with_code(
        self,
        *,
        attempt_token: str,
        code: str,
    ) -> Union[TokenResponse, MfaPending]:
        """Sign in with a mailed code; a second factor is asked for as after a password."""
        return await self._run(
            AccountCalls.sign_in_with_code,
            attempt_token=attempt_token,
            code=code,
        )

    async def audit_log(
        self,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
        action: str = OMIT,
    ) -> AuditLog:
        """List the audit events of the account, newest first."""
        return await self._run(AccountCalls.audit_log, limit=limit, cursor=cursor, action=action)

    def audit_log_all(
        self,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
        action: str = OMIT,
    ) -> AsyncItems[AuditEntry]:
        """List the audit events of the account, newest first: the items of all pages."""
        return self._items(AccountCalls.audit_log_all, limit=limit, cursor=cursor, action=action)

    async def delete_account(self, *, password: str = OMIT, confirm: str = OMIT) -> MessageResponse:
        """Delete the account and everything it owns."""
        return await self._run(AccountCalls.delete_account, password=password, confirm=confirm)

    async def change_password(self, *, current_password: str, new_password: str) -> MessageResponse:
        """Change the password; ends all other sessions."""
        return await self._run(
            AccountCalls.change_password,
            current_password=current_password,
            new_password=new_password,
        )

    async def forgot_password(self, *, email: str) -> MessageResponse:
        """Send a reset link if the account exists; the response does not reveal it."""
        return await self._run(AccountCalls.forgot_password, email=email)

    async def remove_password(self, *, current_password: str) -> MessageResponse:
        """Remove the password of an account with a passkey and recovery codes; ends all other
        sessions."""
        return await self._run(AccountCalls.remove_password, current_password=current_password)

    async def reset_password(self, *, token: str, password: str) -> MessageResponse:
        """Set a new password with the token of a reset link; ends all sessions."""
        return await self._run(AccountCalls.reset_password, token=token, password=password)

    async def sign_up_policy(self) -> SignUpPolicy:
        """Get who can create an account on this server."""
        return await self._run(AccountCalls.sign_up_policy)


class AsyncSessionsCalls(_AsyncCalls):
    _sync = SessionsCalls

    async def list_sessions(self) -> list[Session]:
        """List the sessions of the account."""
        return await self._run(SessionsCalls.list_sessions)

    async def revoke_all_sessions(self, *, keep_current: bool = OMIT) -> MessageResponse:
        """End all sessions of the account, or all others."""
        return await self._run(SessionsCalls.revoke_all_sessions, keep_current=keep_current)

    async def revoke_session(self, session_id: str) -> None:
        """End one session."""
        return await self._run(SessionsCalls.revoke_session, session_id)

    async def exchange_handoff(self, *, token: str) -> HandoffSignIn:
        """Exchange a handoff token for an access token, from the origin it was created for."""
        return await self._run(SessionsCalls.exchange_handoff, token=token)

    async def list_consents(self) -> list[AppConsent]:
        """List the apps that the user signs in to with svc, the last used first."""
        return await self._run(SessionsCalls.list_consents)

    async def revoke_consent(self, consent_id: str) -> None:
        """Withdraw a consent; all tokens of the app end."""
        return await self._run(SessionsCalls.revoke_consent, consent_id)


class AsyncMfaCalls(_AsyncCalls):
    _sync = MfaCalls

    async def disable_mfa(self, *, code: str) -> MessageResponse:
        """Disable MFA."""
        return await self._run(MfaCalls.disable_mfa, code=code)

    async def enable_mfa(self, *, code: str) -> RecoveryCodes:
        """Enable MFA."""
        return await self._run(MfaCalls.enable_mfa, code=code)

    async def mfa_status(self) -> MfaStatus:
        """Get whether MFA is enabled, and the number of unused recovery codes."""
        return await self._run(MfaCalls.mfa_status)

    async def renew_recovery_codes(self, *, code: str) -> RecoveryCodes:
        """Replace the recovery codes with ten new ones."""
        return await self._run(MfaCalls.renew_recovery_codes, code=code)

    async def setup_mfa(self) -> MfaSetup:
        """Create a TOTP secret for an authenticator app; it takes effect once enabled."""
        return await self._run(MfaCalls.setup_mfa)

    async def verify_mfa(self, *, partial_token: str, code: str) -> TokenResponse:
        """Complete a sign-in with a TOTP code or a recovery code."""
        return await self._run(MfaCalls.verify_mfa, partial_token=partial_token, code=code)


class AsyncPasskeysCalls(_AsyncCalls):
    _sync = PasskeysCalls

    async def add_passkey(self, *, name: str, response: RegistrationResponse) -> Passkey:
        """Add a passkey that the browser created."""
        return await self._run(PasskeysCalls.add_passkey, name=name, response=response)

    async def list_passkeys(self) -> list[Passkey]:
        """List the caller’s passkeys, newest first."""
        return await self._run(PasskeysCalls.list_passkeys)

    async def remove_passkey(self, passkey_id: str) -> None:
        """Remove a passkey, unless it is the only sign-in method."""
        return await self._run(PasskeysCalls.remove_passkey, passkey_id)

    async def rename_passkey(self, passkey_id: str, *, name: str) -> Passkey:
        """Rename a passkey."""
        return await self._run(PasskeysCalls.rename_passkey, passkey_id, name=name)

    async def sign_in_with_passkey(self, *, response: AuthenticationResponse) -> TokenResponse:
        """Sign in with a passkey; it needs no second factor."""
        return await self._run(PasskeysCalls.sign_in_with_passkey, response=response)

    async def start_passkey_registration(self) -> PasskeyRegistration:
        """Get the options that a browser creates a passkey with."""
        return await self._run(PasskeysCalls.start_passkey_registration)

    async def start_passkey_sign_in(self) -> PasskeySignIn:
        """Get the options that a browser signs in with a passkey with."""
        return await self._run(PasskeysCalls.start_passkey_sign_in)

    async def verify_passkey(
        self,
        *,
        partial_token: str,
        response: AuthenticationResponse,
    ) -> TokenResponse:
        """Complete a sign-in with a passkey instead of a code."""
        return await self._run(
            PasskeysCalls.verify_passkey,
            partial_token=partial_token,
            response=response,
        )


class AsyncEmailVerificationCalls(_AsyncCalls):
    _sync = EmailVerificationCalls

    async def change_email(self, *, email: str, password: str = OMIT) -> MessageResponse:
        """Change the verified email address; it takes effect when the link at the new address is
        used."""
        return await self._run(EmailVerificationCalls.change_email, email=email, password=password)

    async def confirm_email_change(self, *, token: str) -> MessageResponse:
        """Change the email address with the token of the link at the new address."""
        return await self._run(EmailVerificationCalls.confirm_email_change, token=token)

    async def undo_email_change(self, *, token: str) -> MessageResponse:
        """Restore the email address with the token of the link at the former address; ends what
        opens the account."""
        return await self._run(EmailVerificationCalls.undo_email_change, token=token)

    async def change_verification_email(self, *, email: str) -> MessageResponse:
        """Change an unverified email address; it takes effect when the new link is used."""
        return await self._run(EmailVerificationCalls.change_verification_email, email=email)

    async def email_verification(self) -> EmailVerification:
        """Get whether the address is verified, and how it can be."""
        return await self._run(EmailVerificationCalls.email_verification)

    async def resend_verification(self) -> MessageResponse:
        """Send the verification link again."""
        return await self._run(EmailVerificationCalls.resend_verification)

    async def verify_email(self, *, token: str, take_over: bool = OMIT) -> MessageResponse:
        """Verify an email address with the token of a verification link."""
        return await self._run(
            EmailVerificationCalls.verify_email,
            token=token,
            take_over=take_over,
        )

    async def verify_here(self) -> MessageResponse:
        """Verify the address of the first account of a server on this machine that sends no
        mail."""
        return await self._run(EmailVerificationCalls.verify_here)


class AsyncApiKeysCalls(_AsyncCalls):
    _sync = ApiKeysCalls

    async def create_key(
        self,
        *,
        name: str,
        org_id: Optional[str] = OMIT,
        expires_at: Optional[Time] = OMIT,
        scopes: Optional[
            list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
        ] = OMIT,
        allowed_addresses: Optional[list[str]] = OMIT,
    ) -> CreatedKey:
        """Create an API key."""
        return await self._run(
            ApiKeysCalls.create_key,
            name=name,
            org_id=org_id,
            expires_at=expires_at,
            scopes=scopes,
            allowed_addresses=allowed_addresses,
        )

    async def delegate_key(
        self,
        *,
        name: str,
        scopes: Optional[
            list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
        ] = OMIT,
        ttl_seconds: int = OMIT,
    ) -> CreatedKey:
        """Create a narrower, shorter key for an agent; it ends with the caller’s key."""
        return await self._run(
            ApiKeysCalls.delegate_key,
            name=name,
            scopes=scopes,
            ttl_seconds=ttl_seconds,
        )

    async def list_keys(self) -> list[ApiKey]:
        """List the caller’s API keys, newest first."""
        return await self._run(ApiKeysCalls.list_keys)

    async def revoke_key(self, key_id: str) -> None:
        """Revoke an API key immediately; a key may revoke itself."""
        return await self._run(ApiKeysCalls.revoke_key, key_id)

    async def update_key(
        self,
        key_id: str,
        *,
        name: str = OMIT,
        scopes: Optional[
            list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
        ] = OMIT,
        allowed_addresses: Optional[list[str]] = OMIT,
        paused: bool = OMIT,
    ) -> ApiKey:
        """Rename, limit, pause or resume an API key, and with it those that it created."""
        return await self._run(
            ApiKeysCalls.update_key,
            key_id,
            name=name,
            scopes=scopes,
            allowed_addresses=allowed_addresses,
            paused=paused,
        )


class AsyncMcpLoginCalls(_AsyncCalls):
    _sync = McpLoginCalls

    async def decide_device_login(
        self,
        *,
        user_code: str,
        approve: bool,
        org_id: Optional[str] = OMIT,
    ) -> DeviceDecision:
        """Approve or deny a device login."""
        return await self._run(
            McpLoginCalls.decide_device_login,
            user_code=user_code,
            approve=approve,
            org_id=org_id,
        )

    async def pending_device_login(self, *, user_code: str) -> PendingDeviceLogin:
        """Get the device login that waits for approval under a user code."""
        return await self._run(McpLoginCalls.pending_device_login, user_code=user_code)

    async def poll_device_login(self, *, device_code: str) -> DeviceLoginResult:
        """Poll for the user’s decision; the API key is returned exactly once."""
        return await self._run(McpLoginCalls.poll_device_login, device_code=device_code)

    async def start_device_login(
        self,
        *,
        client_name: str = OMIT,
        session: bool = OMIT,
    ) -> DeviceLogin:
        """Start a device login (RFC 8628): returns a code for the user and a secret for the
        client."""
        return await self._run(
            McpLoginCalls.start_device_login,
            client_name=client_name,
            session=session,
        )


class AsyncOauthCalls(_AsyncCalls):
    _sync = OauthCalls

    async def authorize_oauth(
        self,
        provider: str,
        *,
        frontend_origin: str = OMIT,
    ) -> AuthorizeOAuthResponse:
        """Start a sign-in with a provider."""
        return await self._run(
            OauthCalls.authorize_oauth,
            provider,
            frontend_origin=frontend_origin,
        )

    async def connect_oauth(self, provider: str) -> AuthorizeOAuthResponse:
        """Start to connect a provider to the account; ends in the settings of the console."""
        return await self._run(OauthCalls.connect_oauth, provider)

    async def disconnect_oauth(self, provider: str) -> MessageResponse:
        """Disconnect a provider, unless it is the only sign-in method."""
        return await self._run(OauthCalls.disconnect_oauth, provider)

    async def list_connections(self) -> list[ListConnectionsResponse]:
        """List the providers that are connected to the account."""
        return await self._run(OauthCalls.list_connections)

    async def list_oauth_providers(self) -> ListOAuthProvidersResponse:
        """List the providers to sign in with."""
        return await self._run(OauthCalls.list_oauth_providers)


class AsyncProfileCalls(_AsyncCalls):
    _sync = ProfileCalls

    async def delete_avatar(self) -> MessageResponse:
        """Delete the avatar."""
        return await self._run(ProfileCalls.delete_avatar)

    async def get_avatar(self, file: str) -> AsyncDownload:
        """Get an avatar by its unguessable file name, or the default avatar with initials."""
        return await self._download(ProfileCalls.get_avatar, file)

    async def get_profile(self) -> Profile:
        """Get the caller’s profile."""
        return await self._run(ProfileCalls.get_profile)

    async def update_profile(self, *, display_name: str) -> UpdatedProfile:
        """Change the display name."""
        return await self._run(ProfileCalls.update_profile, display_name=display_name)

    async def upload_avatar(self, file: FileInput, *, filename: Optional[str] = None) -> Avatar:
        """Upload an avatar: JPEG, PNG or WebP of up to 5 MB, stored as a 200x200 WebP."""
        return await self._run(ProfileCalls.upload_avatar, file, filename=filename)

    async def get_preferences(self) -> Preferences:
        """Get all preferences, including defaults."""
        return await self._run(ProfileCalls.get_preferences)

    async def set_preference(self, key: str, *, value: Any) -> Preference:
        """Set one preference."""
        return await self._run(ProfileCalls.set_preference, key, value=value)

    async def get_instructions(self) -> Instructions:
        """Get the caller’s custom instructions."""
        return await self._run(ProfileCalls.get_instructions)

    async def set_instructions(self, *, instructions: str) -> MessageResponse:
        """Replace the custom instructions."""
        return await self._run(ProfileCalls.set_instructions, instructions=instructions)

    async def delete_view(self, name: str) -> None:
        """Delete a saved view; the memories stay."""
        return await self._run(ProfileCalls.delete_view, name)

    async def list_views(self) -> ListViewsResponse:
        """List the saved views of the list of memories, by name."""
        return await self._run(ProfileCalls.list_views)

    async def save_view(self, name: str, *, query: dict[str, Union[str, bool]]) -> SavedView:
        """Save filters of the list of memories under a name, or change those of this name."""
        return await self._run(ProfileCalls.save_view, name, query=query)


class AsyncOrganizationsCalls(_AsyncCalls):
    _sync = OrganizationsCalls

    async def create_org_domain(self, org_id: str, *, domain: str, joins: bool = OMIT) -> OrgDomain:
        """Add an email domain; the response has the DNS record that verifies it."""
        return await self._run(
            OrganizationsCalls.create_org_domain,
            org_id,
            domain=domain,
            joins=joins,
        )

    async def delete_org_domain(self, org_id: str, domain_id: str) -> None:
        """Remove an email domain; members who joined by it stay."""
        return await self._run(OrganizationsCalls.delete_org_domain, org_id, domain_id)

    async def list_org_domains(self, org_id: str) -> list[OrgDomain]:
        """List the email domains of an organization (owners and admins)."""
        return await self._run(OrganizationsCalls.list_org_domains, org_id)

    async def update_org_domain(self, org_id: str, domain_id: str, *, joins: bool) -> OrgDomain:
        """Set whether users with an address at an email domain join by themselves."""
        return await self._run(OrganizationsCalls.update_org_domain, org_id, domain_id, joins=joins)

    async def verify_org_domain(self, org_id: str, domain_id: str) -> OrgDomain:
        """Look for the DNS record of an email domain now."""
        return await self._run(OrganizationsCalls.verify_org_domain, org_id, domain_id)

    async def get_org_policies(self, org_id: str) -> OrgPolicies:
        """Get the policies of an organization, and what this session or key lacks for them."""
        return await self._run(OrganizationsCalls.get_org_policies, org_id)

    async def update_org_policies(
        self,
        org_id: str,
        *,
        second_factor: Literal["none", "any", "passkey"] = OMIT,
        providers: Optional[list[str]] = OMIT,
        session_hours: Optional[int] = OMIT,
        key_scopes: Optional[
            list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
        ] = OMIT,
        managed_sign_in: Optional[list[str]] = OMIT,
    ) -> OrgPolicies:
        """Change the policies of an organization (owners and admins); an admin of the server may
        end them."""
        return await self._run(
            OrganizationsCalls.update_org_policies,
            org_id,
            second_factor=second_factor,
            providers=providers,
            session_hours=session_hours,
            key_scopes=key_scopes,
            managed_sign_in=managed_sign_in,
        )

    async def activate_org(self, org_id: str) -> Organization:
        """Make an organization the default for requests that name none."""
        return await self._run(OrganizationsCalls.activate_org, org_id)

    async def change_org_role(self, org_id: str, user_id: str, *, role: OrgRole) -> OrgMember:
        """Change the role of a member (owners; admins only between admin and member)."""
        return await self._run(OrganizationsCalls.change_org_role, org_id, user_id, role=role)

    async def create_org(self, *, name: str) -> Organization:
        """Create an organization; the caller becomes its owner."""
        return await self._run(OrganizationsCalls.create_org, name=name)

    async def deactivate_org(self) -> None:
        """Clear the default organization."""
        return await self._run(OrganizationsCalls.deactivate_org)

    async def delete_org(self, org_id: str) -> None:
        """Delete an organization with its API keys and memories permanently (owners only)."""
        return await self._run(OrganizationsCalls.delete_org, org_id)

    async def get_org(self, org_id: str) -> Organization:
        """Get an organization of the caller."""
        return await self._run(OrganizationsCalls.get_org, org_id)

    async def list_org_members(self, org_id: str) -> list[OrgMember]:
        """List the members of an organization in the order in which they joined."""
        return await self._run(OrganizationsCalls.list_org_members, org_id)

    async def list_orgs(self) -> list[Organization]:
        """List the organizations of the caller."""
        return await self._run(OrganizationsCalls.list_orgs)

    async def remove_org_member(self, org_id: str, user_id: str) -> None:
        """Remove a member and their API keys of the organization, or leave it."""
        return await self._run(OrganizationsCalls.remove_org_member, org_id, user_id)

    async def update_org(self, org_id: str, *, name: str) -> Organization:
        """Rename an organization (owners only)."""
        return await self._run(OrganizationsCalls.update_org, org_id, name=name)

    async def accept_invite(self, *, token: str) -> Organization:
        """Accept an invite that was sent to the caller’s email address."""
        return await self._run(OrganizationsCalls.accept_invite, token=token)

    async def create_invite(
        self,
        org_id: str,
        *,
        email: str,
        role: Literal["admin", "member"] = OMIT,
    ) -> OrgInvite:
        """Invite a user by email; replaces a pending invite to the same address."""
        return await self._run(OrganizationsCalls.create_invite, org_id, email=email, role=role)

    async def decline_invite(self, *, token: str) -> None:
        """Decline an invite; needs only the token of its link."""
        return await self._run(OrganizationsCalls.decline_invite, token=token)

    async def list_invites(self, org_id: str) -> list[OrgInvite]:
        """List the pending invites (owners and admins)."""
        return await self._run(OrganizationsCalls.list_invites, org_id)

    async def withdraw_invite(self, org_id: str, invite_id: str) -> None:
        """Withdraw an invite; its link stops working."""
        return await self._run(OrganizationsCalls.withdraw_invite, org_id, invite_id)

    async def create_org_webhook(
        self,
        org_id: str,
        *,
        url: str,
        types: Optional[
            list[
                Literal[
                    "organization.updated",
                    "member.invited",
                    "member.invite_withdrawn",
                    "member.joined",
                    "member.removed",
                    "member.role_changed",
                    "key.created",
                    "key.changed",
                    "key.revoked",
                    "app.authorized",
                ]
            ]
        ] = OMIT,
        description: str = OMIT,
    ) -> NewEventWebhook:
        """Create a webhook of an organization; its secret is returned once."""
        return await self._run(
            OrganizationsCalls.create_org_webhook,
            org_id,
            url=url,
            types=types,
            description=description,
        )

    async def delete_org_webhook(self, org_id: str, webhook_id: str) -> None:
        """Delete a webhook of an organization with its deliveries."""
        return await self._run(OrganizationsCalls.delete_org_webhook, org_id, webhook_id)

    async def list_org_deliveries(
        self,
        org_id: str,
        webhook_id: str,
        *,
        state: Literal["waiting", "delivered", "failed"] = OMIT,
        type: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> EventDeliveries:
        """List the deliveries of a webhook in the last 30 days, newest first."""
        return await self._run(
            OrganizationsCalls.list_org_deliveries,
            org_id,
            webhook_id,
            state=state,
            type=type,
            limit=limit,
            cursor=cursor,
        )

    def list_org_deliveries_all(
        self,
        org_id: str,
        webhook_id: str,
        *,
        state: Literal["waiting", "delivered", "failed"] = OMIT,
        type: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AsyncItems[EventDelivery]:
        """List the deliveries of a webhook in the last 30 days, newest first: the items of all
        pages."""
        return self._items(
            OrganizationsCalls.list_org_deliveries_all,
            org_id,
            webhook_id,
            state=state,
            type=type,
            limit=limit,
            cursor=cursor,
        )

    async def list_org_webhooks(self, org_id: str) -> list[EventWebhook]:
        """List the webhooks of an organization that get its events."""
        return await self._run(OrganizationsCalls.list_org_webhooks, org_id)

    async def renew_org_webhook_secret(self, org_id: str, webhook_id: str) -> NewEventWebhook:
        """Replace the signing secret; the new one is returned once."""
        return await self._run(OrganizationsCalls.renew_org_webhook_secret, org_id, webhook_id)

    async def replay_org_deliveries(
        self,
        org_id: str,
        webhook_id: str,
        *,
        since: Time,
    ) -> ReplayOrgDeliveriesResponse:
        """Send the events again that could not be delivered since a time."""
        return await self._run(
            OrganizationsCalls.replay_org_deliveries,
            org_id,
            webhook_id,
            since=since,
        )

    async def replay_org_delivery(
        self,
        org_id: str,
        webhook_id: str,
        event_id: str,
    ) -> EventDelivery:
        """Send an event again, whatever became of it."""
        return await self._run(OrganizationsCalls.replay_org_delivery, org_id, webhook_id, event_id)

    async def test_org_webhook(self, org_id: str, webhook_id: str) -> EventDelivery:
        """Send an event `webhook.test`."""
        return await self._run(OrganizationsCalls.test_org_webhook, org_id, webhook_id)

    async def update_org_webhook(
        self,
        org_id: str,
        webhook_id: str,
        *,
        url: str = OMIT,
        types: Optional[
            list[
                Literal[
                    "organization.updated",
                    "member.invited",
                    "member.invite_withdrawn",
                    "member.joined",
                    "member.removed",
                    "member.role_changed",
                    "key.created",
                    "key.changed",
                    "key.revoked",
                    "app.authorized",
                ]
            ]
        ] = OMIT,
        description: str = OMIT,
        enabled: bool = OMIT,
    ) -> EventWebhook:
        """Change a webhook of an organization."""
        return await self._run(
            OrganizationsCalls.update_org_webhook,
            org_id,
            webhook_id,
            url=url,
            types=types,
            description=description,
            enabled=enabled,
        )

    async def get_allowed_clients(self, org_id: str) -> AllowedClients:
        """Get the apps that may act in an organization."""
        return await self._run(OrganizationsCalls.get_allowed_clients, org_id)

    async def set_allowed_clients(
        self,
        org_id: str,
        *,
        client_ids: Optional[list[str]],
    ) -> AllowedClients:
        """Set the apps that may act in an organization (owners only); others lose access at
        once."""
        return await self._run(
            OrganizationsCalls.set_allowed_clients,
            org_id,
            client_ids=client_ids,
        )

    async def create_scim_token(
        self,
        org_id: str,
        *,
        name: str,
        expires_at: Optional[Time] = OMIT,
    ) -> NewScimToken:
        """Create a SCIM token for an identity provider (owners only); it is returned once."""
        return await self._run(
            OrganizationsCalls.create_scim_token,
            org_id,
            name=name,
            expires_at=expires_at,
        )

    async def list_scim_tokens(self, org_id: str) -> ScimOverview:
        """Get the SCIM address of an organization, its tokens, and how many users they
        provisioned."""
        return await self._run(OrganizationsCalls.list_scim_tokens, org_id)

    async def revoke_scim_token(self, org_id: str, token_id: str) -> None:
        """Revoke a SCIM token; what it provisioned stays."""
        return await self._run(OrganizationsCalls.revoke_scim_token, org_id, token_id)


class AsyncAdminCalls(_AsyncCalls):
    _sync = AdminCalls

    async def create_server_webhook(
        self,
        *,
        url: str,
        types: Optional[
            list[
                Literal[
                    "user.created",
                    "user.deleted",
                    "user.disabled",
                    "user.enabled",
                    "user.tier_changed",
                    "user.email_verified",
                    "user.email_changed",
                    "session.created",
                    "session.failed",
                    "session.revoked",
                    "key.created",
                    "key.changed",
                    "key.revoked",
                    "password.changed",
                    "mfa.enabled",
                    "mfa.disabled",
                    "passkey.added",
                    "passkey.removed",
                    "provider.connected",
                    "provider.disconnected",
                    "app.authorized",
                    "organization.created",
                    "organization.updated",
                    "organization.deleted",
                    "member.invited",
                    "member.invite_withdrawn",
                    "member.joined",
                    "member.removed",
                    "member.role_changed",
                ]
            ]
        ] = OMIT,
        description: str = OMIT,
    ) -> NewEventWebhook:
        """Create a webhook of the server; its secret is returned once."""
        return await self._run(
            AdminCalls.create_server_webhook,
            url=url,
            types=types,
            description=description,
        )

    async def delete_server_webhook(self, webhook_id: str) -> None:
        """Delete a webhook of the server with its deliveries."""
        return await self._run(AdminCalls.delete_server_webhook, webhook_id)

    async def list_server_deliveries(
        self,
        webhook_id: str,
        *,
        state: Literal["waiting", "delivered", "failed"] = OMIT,
        type: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> EventDeliveries:
        """List the deliveries of a webhook in the last 30 days, newest first."""
        return await self._run(
            AdminCalls.list_server_deliveries,
            webhook_id,
            state=state,
            type=type,
            limit=limit,
            cursor=cursor,
        )

    def list_server_deliveries_all(
        self,
        webhook_id: str,
        *,
        state: Literal["waiting", "delivered", "failed"] = OMIT,
        type: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AsyncItems[EventDelivery]:
        """List the deliveries of a webhook in the last 30 days, newest first: the items of all
        pages."""
        return self._items(
            AdminCalls.list_server_deliveries_all,
            webhook_id,
            state=state,
            type=type,
            limit=limit,
            cursor=cursor,
        )

    async def list_server_webhooks(self) -> list[EventWebhook]:
        """List the webhooks of the server that get its events."""
        return await self._run(AdminCalls.list_server_webhooks)

    async def renew_server_webhook_secret(self, webhook_id: str) -> NewEventWebhook:
        """Replace the signing secret; the new one is returned once."""
        return await self._run(AdminCalls.renew_server_webhook_secret, webhook_id)

    async def replay_server_deliveries(
        self,
        webhook_id: str,
        *,
        since: Time,
    ) -> ReplayServerDeliveriesResponse:
        """Send the events again that could not be delivered since a time."""
        return await self._run(AdminCalls.replay_server_deliveries, webhook_id, since=since)

    async def replay_server_delivery(self, webhook_id: str, event_id: str) -> EventDelivery:
        """Send an event again, whatever became of it."""
        return await self._run(AdminCalls.replay_server_delivery, webhook_id, event_id)

    async def test_server_webhook(self, webhook_id: str) -> EventDelivery:
        """Send an event `webhook.test`."""
        return await self._run(AdminCalls.test_server_webhook, webhook_id)

    async def update_server_webhook(
        self,
        webhook_id: str,
        *,
        url: str = OMIT,
        types: Optional[
            list[
                Literal[
                    "user.created",
                    "user.deleted",
                    "user.disabled",
                    "user.enabled",
                    "user.tier_changed",
                    "user.email_verified",
                    "user.email_changed",
                    "session.created",
                    "session.failed",
                    "session.revoked",
                    "key.created",
                    "key.changed",
                    "key.revoked",
                    "password.changed",
                    "mfa.enabled",
                    "mfa.disabled",
                    "passkey.added",
                    "passkey.removed",
                    "provider.connected",
                    "provider.disconnected",
                    "app.authorized",
                    "organization.created",
                    "organization.updated",
                    "organization.deleted",
                    "member.invited",
                    "member.invite_withdrawn",
                    "member.joined",
                    "member.removed",
                    "member.role_changed",
                ]
            ]
        ] = OMIT,
        description: str = OMIT,
        enabled: bool = OMIT,
    ) -> EventWebhook:
        """Change a webhook of the server."""
        return await self._run(
            AdminCalls.update_server_webhook,
            webhook_id,
            url=url,
            types=types,
            description=description,
            enabled=enabled,
        )

    async def list_engines(self) -> CognitiveEngines:
        """List the engines that process memories in the background, with their queue lengths."""
        return await self._run(AdminCalls.list_engines)

    async def switch_engine(self, engine: str, *, enabled: bool, reason: str) -> None:
        """Enable or disable an engine; while it is disabled its work is queued."""
        return await self._run(AdminCalls.switch_engine, engine, enabled=enabled, reason=reason)

    async def list_registry(
        self,
        *,
        registry_type: RegistryType,
        include_disabled: bool = OMIT,
    ) -> RegistryListing:
        """List the automation handlers of a type."""
        return await self._run(
            AdminCalls.list_registry,
            registry_type=registry_type,
            include_disabled=include_disabled,
        )

    async def switch_handler(
        self,
        registry_type: str,
        name: str,
        *,
        enabled: bool,
        reason: str,
    ) -> None:
        """Enable or disable a handler; reflexes wait while it is disabled."""
        return await self._run(
            AdminCalls.switch_handler,
            registry_type,
            name,
            enabled=enabled,
            reason=reason,
        )

    async def admin_stats(self) -> AdminStats:
        """Get counts of users, data and queued work."""
        return await self._run(AdminCalls.admin_stats)

    async def create_user(self, *, email: str, reason: str) -> AdminUser:
        """Create a user, who gets a link by email to choose a password."""
        return await self._run(AdminCalls.create_user, email=email, reason=reason)

    async def delete_user(self, user_id: str, *, reason: str) -> None:
        """Delete a user and everything the account owns."""
        return await self._run(AdminCalls.delete_user, user_id, reason=reason)

    async def disable_user(self, user_id: str, *, reason: str) -> AdminUser:
        """Disable a user: end their sessions, pause their API keys and background work."""
        return await self._run(AdminCalls.disable_user, user_id, reason=reason)

    async def enable_user(self, user_id: str, *, reason: Optional[str] = OMIT) -> AdminUser:
        """Enable a disabled user."""
        return await self._run(AdminCalls.enable_user, user_id, reason=reason)

    async def get_user(self, user_id: str) -> AdminUser:
        """Get a user."""
        return await self._run(AdminCalls.get_user, user_id)

    async def list_users(
        self,
        *,
        q: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AdminUsers:
        """List or search users, newest first."""
        return await self._run(AdminCalls.list_users, q=q, limit=limit, cursor=cursor)

    def list_users_all(
        self,
        *,
        q: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AsyncItems[AdminUser]:
        """List or search users, newest first: the items of all pages."""
        return self._items(AdminCalls.list_users_all, q=q, limit=limit, cursor=cursor)

    async def reset_second_factor(self, user_id: str, *, reason: str) -> AdminUser:
        """Remove the second factor and the passkeys of a user, and end their sessions."""
        return await self._run(AdminCalls.reset_second_factor, user_id, reason=reason)

    async def set_user_admin(
        self,
        user_id: str,
        *,
        is_admin: bool,
        reason: Optional[str] = OMIT,
    ) -> AdminUser:
        """Grant or revoke admin rights."""
        return await self._run(AdminCalls.set_user_admin, user_id, is_admin=is_admin, reason=reason)

    async def set_user_email(self, user_id: str, *, email: str, reason: str) -> AdminUser:
        """Change the email address of a user; it counts as verified."""
        return await self._run(AdminCalls.set_user_email, user_id, email=email, reason=reason)

    async def set_user_tier(
        self,
        user_id: str,
        *,
        tier: Optional[Tier],
        reason: Optional[str] = OMIT,
    ) -> AdminUser:
        """Set the tier of a user."""
        return await self._run(AdminCalls.set_user_tier, user_id, tier=tier, reason=reason)

    async def import_users(
        self,
        file: FileInput,
        *,
        format: UserImportFormat = OMIT,
        dry_run: bool = OMIT,
    ) -> UserImportReport:
        """Import users with their password hashes: NDJSON, or an export of Supabase, better-auth,
        Firebase or PocketBase."""
        return await self._run(AdminCalls.import_users, file, format=format, dry_run=dry_run)

    async def end_impersonation(self, user_id: str) -> None:
        """End the impersonation of a user by the caller."""
        return await self._run(AdminCalls.end_impersonation, user_id)

    async def start_impersonation(
        self,
        user_id: str,
        *,
        reason: str,
        minutes: int = OMIT,
    ) -> StartedImpersonation:
        """See and use the server as a user, for some minutes, without access to the account
        settings."""
        return await self._run(
            AdminCalls.start_impersonation,
            user_id,
            reason=reason,
            minutes=minutes,
        )

    async def admin_audit_log(
        self,
        *,
        action: str = OMIT,
        user_id: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AdminAuditLog:
        """List the audit events of all users, newest first."""
        return await self._run(
            AdminCalls.admin_audit_log,
            action=action,
            user_id=user_id,
            since=since,
            until=until,
            limit=limit,
            cursor=cursor,
        )

    def admin_audit_log_all(
        self,
        *,
        action: str = OMIT,
        user_id: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AsyncItems[AdminAuditEntry]:
        """List the audit events of all users, newest first: the items of all pages."""
        return self._items(
            AdminCalls.admin_audit_log_all,
            action=action,
            user_id=user_id,
            since=since,
            until=until,
            limit=limit,
            cursor=cursor,
        )

    async def admin_configuration(self) -> AdminConfiguration:
        """List the optional parts of the server and whether each is configured."""
        return await self._run(AdminCalls.admin_configuration)

    async def admin_history(self, *, days: int = OMIT) -> AdminHistory:
        """Get the number of new users, sign-ins, memories and messages of each day."""
        return await self._run(AdminCalls.admin_history, days=days)

    async def admin_queues(self) -> AdminQueues:
        """Get the queues of jobs and emails, with their last failures."""
        return await self._run(AdminCalls.admin_queues)

    async def export_audit(
        self,
        *,
        action: str = OMIT,
        user_id: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
    ) -> AsyncStream[AdminAuditEntry]:
        """Export the audit events of all users as NDJSON, newest first."""
        return await self._stream(
            AdminCalls.export_audit,
            action=action,
            user_id=user_id,
            since=since,
            until=until,
        )

    async def list_signing_keys(self) -> SigningKeys:
        """List the keys that sign access tokens, the newest first; retired ones for 90 days."""
        return await self._run(AdminCalls.list_signing_keys)

    async def rotate_signing_keys(
        self,
        *,
        now: bool = OMIT,
        reason: Optional[str] = OMIT,
    ) -> SigningKeys:
        """Publish the next key that signs access tokens; it signs ten minutes later."""
        return await self._run(AdminCalls.rotate_signing_keys, now=now, reason=reason)

    async def create_managed_client(
        self,
        *,
        name: str,
        redirect_uris: list[str],
        post_logout_redirect_uris: list[str] = OMIT,
        backchannel_logout_uri: Optional[str] = OMIT,
        scopes: list[
            Literal["openid", "profile", "email", "offline_access", "memory:read", "memory:write"]
        ] = OMIT,
        confidential: bool = OMIT,
        skips_consent: bool = OMIT,
    ) -> CreatedClient:
        """Register an app; its secret is shown once."""
        return await self._run(
            AdminCalls.create_managed_client,
            name=name,
            redirect_uris=redirect_uris,
            post_logout_redirect_uris=post_logout_redirect_uris,
            backchannel_logout_uri=backchannel_logout_uri,
            scopes=scopes,
            confidential=confidential,
            skips_consent=skips_consent,
        )

    async def delete_managed_client(self, client_id: str) -> None:
        """Delete an app with its consents and tokens."""
        return await self._run(AdminCalls.delete_managed_client, client_id)

    async def list_managed_clients(self) -> list[ManagedClient]:
        """List the apps that an admin registered for “Sign in with svc”, by name."""
        return await self._run(AdminCalls.list_managed_clients)

    async def rotate_client_secret(self, client_id: str) -> RotateClientSecretResponse:
        """Replace the secret of an app; the previous one ends at once."""
        return await self._run(AdminCalls.rotate_client_secret, client_id)

    async def update_managed_client(
        self,
        client_id: str,
        *,
        name: str = OMIT,
        redirect_uris: list[str] = OMIT,
        post_logout_redirect_uris: list[str] = OMIT,
        backchannel_logout_uri: Optional[str] = OMIT,
        scopes: list[
            Literal["openid", "profile", "email", "offline_access", "memory:read", "memory:write"]
        ] = OMIT,
        skips_consent: bool = OMIT,
    ) -> ManagedClient:
        """Change an app; scopes that it loses end for its tokens too."""
        return await self._run(
            AdminCalls.update_managed_client,
            client_id,
            name=name,
            redirect_uris=redirect_uris,
            post_logout_redirect_uris=post_logout_redirect_uris,
            backchannel_logout_uri=backchannel_logout_uri,
            scopes=scopes,
            skips_consent=skips_consent,
        )

    async def change_server_settings(
        self,
        *,
        changes: list[ChangeServerSettingsChanges],
    ) -> ServerSettings:
        """Change settings of the server, without a restart."""
        return await self._run(AdminCalls.change_server_settings, changes=changes)

    async def list_server_settings(self) -> ServerSettings:
        """List the settings that can change while the server runs."""
        return await self._run(AdminCalls.list_server_settings)

    async def test_server_settings(
        self,
        *,
        group: Literal["mail", "models", "transcription", "sign_in", "backup"],
        values: list[TestServerSettingsValues] = OMIT,
    ) -> ServerSettingTests:
        """Try settings before they are stored."""
        return await self._run(AdminCalls.test_server_settings, group=group, values=values)

    async def list_server_backups(self) -> ServerBackups:
        """List the backups that the running server made."""
        return await self._run(AdminCalls.list_server_backups)

    async def start_server_backup(self) -> ServerBackup:
        """Back up the server now, in the background."""
        return await self._run(AdminCalls.start_server_backup)

    async def read_logs(
        self,
        *,
        level: Literal["trace", "debug", "info", "warn", "error", "fatal"] = OMIT,
        q: str = OMIT,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> LogLines:
        """Read the last lines of the log, newest first."""
        return await self._run(AdminCalls.read_logs, level=level, q=q, limit=limit, before=before)

    def read_logs_all(
        self,
        *,
        level: Literal["trace", "debug", "info", "warn", "error", "fatal"] = OMIT,
        q: str = OMIT,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> AsyncItems[LogLine]:
        """Read the last lines of the log, newest first: the items of all pages."""
        return self._items(AdminCalls.read_logs_all, level=level, q=q, limit=limit, before=before)


class AsyncBillingCalls(_AsyncCalls):
    _sync = BillingCalls

    async def get_balance(self) -> Balance:
        """Get the credit balance."""
        return await self._run(BillingCalls.get_balance)

    async def get_billing(self) -> BillingMe:
        """Get the tier, the subscription and the pay-as-you-go settings."""
        return await self._run(BillingCalls.get_billing)

    async def get_payg_cap(self) -> PaygCap:
        """Get the monthly spending cap of pay as you go."""
        return await self._run(BillingCalls.get_payg_cap)

    async def get_tiers(self) -> Tiers:
        """List the tiers with their prices, quotas and features."""
        return await self._run(BillingCalls.get_tiers)

    async def get_usage(self) -> Usage:
        """Get this month’s usage and quotas."""
        return await self._run(BillingCalls.get_usage)

    async def set_payg(self, *, enabled: bool) -> BillingMe:
        """Turn pay as you go on or off."""
        return await self._run(BillingCalls.set_payg, enabled=enabled)

    async def set_payg_cap(self, *, cap_usd: Optional[float]) -> PaygCap:
        """Set or clear the monthly spending cap of pay as you go."""
        return await self._run(BillingCalls.set_payg_cap, cap_usd=cap_usd)

    async def usage_history(self, *, months: int = OMIT) -> UsageHistory:
        """List the usage of the last months."""
        return await self._run(BillingCalls.usage_history, months=months)

    async def checkout(
        self,
        *,
        return_to: Literal["pricing", "console"] = OMIT,
        tier: Literal["awakened", "conscious", "payg"] = OMIT,
        credits_usd: float = OMIT,
    ) -> PaymentPage:
        """Create a payment page for a subscription or for credits."""
        return await self._run(
            BillingCalls.checkout,
            return_to=return_to,
            tier=tier,
            credits_usd=credits_usd,
        )

    async def portal(self, *, return_to: Literal["pricing", "console"] = OMIT) -> PaymentPage:
        """Create a page to change or cancel the subscription."""
        return await self._run(BillingCalls.portal, return_to=return_to)


class AsyncMemoriesCalls(_AsyncCalls):
    _sync = MemoriesCalls

    async def delete_memory(self, memory_id: str, *, permanent: bool = OMIT) -> None:
        """Delete a memory; it can be restored for 30 days."""
        return await self._run(MemoriesCalls.delete_memory, memory_id, permanent=permanent)

    async def get_memory(self, memory_id: str, *, deleted: bool = OMIT) -> Memory:
        """Get a memory."""
        return await self._run(MemoriesCalls.get_memory, memory_id, deleted=deleted)

    async def memory_history(self, memory_id: str) -> list[MemoryEvent]:
        """List the changes to a memory, oldest first; also for a deleted memory."""
        return await self._run(MemoriesCalls.memory_history, memory_id)

    async def remember(
        self,
        *,
        content: str,
        memory_type: MemoryType = OMIT,
        importance: float = OMIT,
        tags: list[str] = OMIT,
        thread: Optional[str] = OMIT,
        position: Optional[int] = OMIT,
        author: Optional[str] = OMIT,
        agent_slug: Optional[str] = OMIT,
        occurred_at: Optional[Time] = OMIT,
        metadata: dict[str, Any] = OMIT,
        supersedes: Optional[str] = OMIT,
    ) -> Remembered:
        """Store a memory; the same content in the same thread is stored once."""
        return await self._run(
            MemoriesCalls.remember,
            content=content,
            memory_type=memory_type,
            importance=importance,
            tags=tags,
            thread=thread,
            position=position,
            author=author,
            agent_slug=agent_slug,
            occurred_at=occurred_at,
            metadata=metadata,
            supersedes=supersedes,
        )

    async def remember_batch(self, *, memories: list[Remember]) -> RememberedBatch:
        """Store up to 1,000 memories, all or none."""
        return await self._run(MemoriesCalls.remember_batch, memories=memories)

    async def restore_memory(self, memory_id: str) -> Memory:
        """Restore a memory that was deleted in the last 30 days, or was superseded."""
        return await self._run(MemoriesCalls.restore_memory, memory_id)

    async def update_memory(
        self,
        memory_id: str,
        *,
        content: str = OMIT,
        memory_type: MemoryType = OMIT,
        importance: float = OMIT,
        tags: list[str] = OMIT,
        thread: Optional[str] = OMIT,
        position: Optional[int] = OMIT,
        author: Optional[str] = OMIT,
        agent_slug: Optional[str] = OMIT,
        occurred_at: Optional[Time] = OMIT,
        metadata: dict[str, Any] = OMIT,
        supersedes: str = OMIT,
    ) -> Memory:
        """Update a memory; earlier versions stay in its history."""
        return await self._run(
            MemoriesCalls.update_memory,
            memory_id,
            content=content,
            memory_type=memory_type,
            importance=importance,
            tags=tags,
            thread=thread,
            position=position,
            author=author,
            agent_slug=agent_slug,
            occurred_at=occurred_at,
            metadata=metadata,
            supersedes=supersedes,
        )

    async def forget_matching(
        self,
        *,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        all: bool = OMIT,
        expected: int = OMIT,
        dry_run: bool = OMIT,
    ) -> ForgottenMemories:
        """Delete all memories that match a filter; they can be restored for 30 days."""
        return await self._run(
            MemoriesCalls.forget_matching,
            thread=thread,
            memory_type=memory_type,
            tag=tag,
            tags=tags,
            author=author,
            agent_slug=agent_slug,
            client=client,
            trust=trust,
            min_trust=min_trust,
            since=since,
            until=until,
            all=all,
            expected=expected,
            dry_run=dry_run,
        )

    async def restore_matching(
        self,
        *,
        deleted_since: Time,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
    ) -> RestoredMemories:
        """Restore the memories that match a filter and were deleted at a time or later."""
        return await self._run(
            MemoriesCalls.restore_matching,
            deleted_since=deleted_since,
            thread=thread,
            memory_type=memory_type,
            tag=tag,
            tags=tags,
            author=author,
            agent_slug=agent_slug,
            client=client,
            trust=trust,
            min_trust=min_trust,
            since=since,
            until=until,
        )

    async def complete_memory_field(
        self,
        *,
        field: Literal["thread", "tag", "author", "memory_id"],
        prefix: str = OMIT,
        limit: int = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
    ) -> MemoryValues:
        """Complete the beginning of a thread, tag, author or id by the caller’s memories, in any
        case of letters. Tags and authors are those of the newest 20,000 memories."""
        return await self._run(
            MemoriesCalls.complete_memory_field,
            field=field,
            prefix=prefix,
            limit=limit,
            min_trust=min_trust,
        )

    async def list_memories(
        self,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
        sort: Literal["stored", "happened"] = OMIT,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        deleted: bool = OMIT,
    ) -> MemoryList:
        """List the caller’s memories, newest first."""
        return await self._run(
            MemoriesCalls.list_memories,
            limit=limit,
            cursor=cursor,
            sort=sort,
            thread=thread,
            memory_type=memory_type,
            tag=tag,
            tags=tags,
            author=author,
            agent_slug=agent_slug,
            client=client,
            trust=trust,
            min_trust=min_trust,
            since=since,
            until=until,
            deleted=deleted,
        )

    def list_memories_all(
        self,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
        sort: Literal["stored", "happened"] = OMIT,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        deleted: bool = OMIT,
    ) -> AsyncItems[Memory]:
        """List the caller’s memories, newest first: the items of all pages."""
        return self._items(
            MemoriesCalls.list_memories_all,
            limit=limit,
            cursor=cursor,
            sort=sort,
            thread=thread,
            memory_type=memory_type,
            tag=tag,
            tags=tags,
            author=author,
            agent_slug=agent_slug,
            client=client,
            trust=trust,
            min_trust=min_trust,
            since=since,
            until=until,
            deleted=deleted,
        )

    async def memory_changes(self, *, cursor: str = OMIT) -> MemoryChanges:
        """Get the memories that changed since an earlier request, up to 63 changes."""
        return await self._run(MemoriesCalls.memory_changes, cursor=cursor)

    async def memory_facets(
        self,
        *,
        limit: int = OMIT,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        deleted: bool = OMIT,
    ) -> MemoryFacets:
        """Count the caller’s memories, in all and by each value that they can be listed by."""
        return await self._run(
            MemoriesCalls.memory_facets,
            limit=limit,
            thread=thread,
            memory_type=memory_type,
            tag=tag,
            tags=tags,
            author=author,
            agent_slug=agent_slug,
            client=client,
            trust=trust,
            min_trust=min_trust,
            since=since,
            until=until,
            deleted=deleted,
        )

    async def recall(
        self,
        *,
        query: str,
        limit: int = OMIT,
        format: Optional[Literal["json", "text"]] = OMIT,
        max_tokens: Optional[int] = OMIT,
        memory_type: Optional[MemoryType] = OMIT,
        tag: Optional[str] = OMIT,
        tags: Optional[list[str]] = OMIT,
        thread: Optional[str] = OMIT,
        author: Optional[str] = OMIT,
        agent_slug: Optional[str] = OMIT,
        scope: Optional[ScopeMode] = OMIT,
        since: Optional[Time] = OMIT,
        until: Optional[Time] = OMIT,
        as_of: Optional[Time] = OMIT,
        min_trust: Optional[Trust] = OMIT,
        explain: bool = OMIT,
    ) -> RecallResult:
        """Find the memories that best answer a question, best first."""
        return await self._run(
            MemoriesCalls.recall,
            query=query,
            limit=limit,
            format=format,
            max_tokens=max_tokens,
            memory_type=memory_type,
            tag=tag,
            tags=tags,
            thread=thread,
            author=author,
            agent_slug=agent_slug,
            scope=scope,
            since=since,
            until=until,
            as_of=as_of,
            min_trust=min_trust,
            explain=explain,
        )

    async def context(
        self,
        *,
        query: str,
        thread: Optional[str] = OMIT,
        session: Optional[str] = OMIT,
        compacted: bool = OMIT,
        max_tokens: int = OMIT,
        project: Optional[str] = OMIT,
        min_trust: Optional[Trust] = OMIT,
    ) -> ContextResult:
        """Get what a model should know before it answers a message."""
        return await self._run(
            MemoriesCalls.context,
            query=query,
            thread=thread,
            session=session,
            compacted=compacted,
            max_tokens=max_tokens,
            project=project,
            min_trust=min_trust,
        )

    async def export_memories(self) -> AsyncStream[ExportedMemory]:
        """Export all of the caller’s memories as NDJSON, oldest first."""
        return await self._stream(MemoriesCalls.export_memories)

    async def import_memories(
        self,
        file: FileInput,
        *,
        format: ImportFormat = OMIT,
    ) -> ImportReport:
        """Import memories from a file: an export of svc, ChatGPT, Claude, mem0 or the MCP memory
        server."""
        return await self._run(MemoriesCalls.import_memories, file, format=format)

    async def memory_facts(self, memory_id: str) -> MemoryFacts:
        """List the facts extracted from a memory: names, homes, work, preferences, dates,
        relations, reminders."""
        return await self._run(MemoriesCalls.memory_facts, memory_id)

    async def add_feedback(self, memory_id: str, *, question: str) -> MemoryMark:
        """Mark a memory as not relevant to a question: it scores less for this and similar
        questions. The same mark again is returned as it is."""
        return await self._run(MemoriesCalls.add_feedback, memory_id, question=question)

    async def list_feedback(self, memory_id: str) -> MemoryMarks:
        """List the questions that a memory is marked as not relevant to."""
        return await self._run(MemoriesCalls.list_feedback, memory_id)

    async def remove_feedback(self, memory_id: str, feedback_id: str) -> None:
        """Remove such a mark."""
        return await self._run(MemoriesCalls.remove_feedback, memory_id, feedback_id)

    async def related_memories(self, memory_id: str, *, neighbors: int = OMIT) -> RelatedMemories:
        """Get the neighbors of a memory in its thread, its links and its other versions."""
        return await self._run(MemoriesCalls.related_memories, memory_id, neighbors=neighbors)


class AsyncCapturesCalls(_AsyncCalls):
    _sync = CapturesCalls

    async def capture(
        self,
        *,
        client: str,
        channel: Literal["hook", "proxy", "import"],
        session: str,
        messages: list[CapturedMessage],
        project: Optional[str] = OMIT,
    ) -> Captured:
        """Store turns of a conversation with an assistant, each once."""
        return await self._run(
            CapturesCalls.capture,
            client=client,
            channel=channel,
            session=session,
            messages=messages,
            project=project,
        )

    async def delete_capture(self, *, client: str, session: str) -> DeleteCaptureResponse:
        """Delete the memories of a captured conversation; restorable for 30 days."""
        return await self._run(CapturesCalls.delete_capture, client=client, session=session)

    async def list_captures(
        self,
        *,
        client: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> ListCapturesResponse:
        """List the conversations that were captured, newest first."""
        return await self._run(
            CapturesCalls.list_captures,
            client=client,
            limit=limit,
            cursor=cursor,
        )

    def list_captures_all(
        self,
        *,
        client: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AsyncItems[CaptureSession]:
        """List the conversations that were captured, newest first: the items of all pages."""
        return self._items(
            CapturesCalls.list_captures_all,
            client=client,
            limit=limit,
            cursor=cursor,
        )

    async def restore_capture(
        self,
        *,
        client: str,
        session: str,
        deleted_since: Optional[Time] = OMIT,
    ) -> RestoreCaptureResponse:
        """Restore the deleted memories of a captured conversation."""
        return await self._run(
            CapturesCalls.restore_capture,
            client=client,
            session=session,
            deleted_since=deleted_since,
        )


class AsyncIdentityCalls(_AsyncCalls):
    _sync = IdentityCalls

    async def list_anchors(self) -> Anchors:
        """List the caller’s identity anchors (name, home, work and more) with earlier values."""
        return await self._run(IdentityCalls.list_anchors)

    async def list_conflicts(self) -> IdentityConflicts:
        """List contradictions between memories about the caller."""
        return await self._run(IdentityCalls.list_conflicts)

    async def resolve_conflict(self, *, anchor_key: str, chosen_value: Any) -> None:
        """Resolve a contradiction by choosing a value; memories with other values are
        superseded."""
        return await self._run(
            IdentityCalls.resolve_conflict,
            anchor_key=anchor_key,
            chosen_value=chosen_value,
        )


class AsyncIntrospectionCalls(_AsyncCalls):
    _sync = IntrospectionCalls

    async def bridge_memories(self, *, limit: int = OMIT) -> BridgeMemories:
        """List the memories that connect otherwise distant memories (betweenness centrality)."""
        return await self._run(IntrospectionCalls.bridge_memories, limit=limit)

    async def memory_graph(self, *, limit: int = OMIT) -> MemoryGraph:
        """Get the memory graph for display: the most central and the latest memories."""
        return await self._run(IntrospectionCalls.memory_graph, limit=limit)

    async def memory_statistics(self) -> MemoryStatistics:
        """Get statistics about the caller’s memories."""
        return await self._run(IntrospectionCalls.memory_statistics)


class AsyncProactiveCalls(_AsyncCalls):
    _sync = ProactiveCalls

    async def give_feedback(
        self,
        *,
        intent_id: str,
        feedback: Literal["thumbs_up", "thumbs_down", "dismiss", "snooze"],
    ) -> dict[str, Any]:
        """Dismiss, snooze or rate a topic."""
        return await self._run(ProactiveCalls.give_feedback, intent_id=intent_id, feedback=feedback)

    async def list_proactive_intents(self, *, limit: int = OMIT) -> list[ProactiveIntent]:
        """List topics to bring up: due reminders, conflicts and open questions."""
        return await self._run(ProactiveCalls.list_proactive_intents, limit=limit)

    async def list_upcoming_reminders(self, *, limit: int = OMIT) -> list[UpcomingReminder]:
        """List the reminders that are not due yet, next first."""
        return await self._run(ProactiveCalls.list_upcoming_reminders, limit=limit)


class AsyncSensesCalls(_AsyncCalls):
    _sync = SensesCalls

    async def create_sense_device(
        self,
        *,
        device_name: str,
        capabilities: Optional[list[str]] = OMIT,
        metadata: Optional[dict[str, Any]] = OMIT,
    ) -> SenseDevice:
        """Create a device."""
        return await self._run(
            SensesCalls.create_sense_device,
            device_name=device_name,
            capabilities=capabilities,
            metadata=metadata,
        )

    async def delete_sense_device(self, device_id: str) -> None:
        """Delete a device and its signals."""
        return await self._run(SensesCalls.delete_sense_device, device_id)

    async def get_sense_device(self, device_id: str) -> SenseDevice:
        """Get a device."""
        return await self._run(SensesCalls.get_sense_device, device_id)

    async def list_sense_devices(self) -> list[SenseDevice]:
        """List the devices that send signals to the caller’s reflexes."""
        return await self._run(SensesCalls.list_sense_devices)

    async def list_signals(
        self,
        device_id: str,
        *,
        limit: int = OMIT,
        before: str = OMIT,
        signal_type: SignalType = OMIT,
    ) -> list[Signal]:
        """List the signals of a device, newest first."""
        return await self._run(
            SensesCalls.list_signals,
            device_id,
            limit=limit,
            before=before,
            signal_type=signal_type,
        )

    def list_signals_all(
        self,
        device_id: str,
        *,
        limit: int = OMIT,
        before: str = OMIT,
        signal_type: SignalType = OMIT,
    ) -> AsyncItems[Signal]:
        """List the signals of a device, newest first: the items of all pages."""
        return self._items(
            SensesCalls.list_signals_all,
            device_id,
            limit=limit,
            before=before,
            signal_type=signal_type,
        )

    async def send_signal(
        self,
        device_id: str,
        *,
        signal_type: SignalType,
        value: Any,
        occurred_at: Optional[Time] = OMIT,
    ) -> ReceivedSignal:
        """Send a signal of a device; matching reflexes fire."""
        return await self._run(
            SensesCalls.send_signal,
            device_id,
            signal_type=signal_type,
            value=value,
            occurred_at=occurred_at,
        )

    async def update_sense_device(
        self,
        device_id: str,
        *,
        device_name: Optional[str] = OMIT,
        capabilities: Optional[list[str]] = OMIT,
        metadata: Optional[dict[str, Any]] = OMIT,
    ) -> dict[str, Any]:
        """Update a device; null or omitted fields keep their value."""
        return await self._run(
            SensesCalls.update_sense_device,
            device_id,
            device_name=device_name,
            capabilities=capabilities,
            metadata=metadata,
        )


class AsyncReflexesCalls(_AsyncCalls):
    _sync = ReflexesCalls

    async def create_reflex(
        self,
        *,
        name: str,
        trigger: Union[
            CreateReflexTriggerSignal,
            CreateReflexTriggerSchedule,
            CreateReflexTriggerMemory,
            CreateReflexTriggerMessage,
        ],
        action: Union[
            CreateReflexActionNotify,
            CreateReflexActionRemember,
            CreateReflexActionWebhook,
        ],
        conditions: list[CreateReflexConditions] = OMIT,
        confirm: bool = OMIT,
        enabled: bool = OMIT,
    ) -> ReflexWithSecret:
        """Create a reflex: an action that runs on a signal, a schedule, a memory or a message."""
        return await self._run(
            ReflexesCalls.create_reflex,
            name=name,
            trigger=trigger,
            action=action,
            conditions=conditions,
            confirm=confirm,
            enabled=enabled,
        )

    async def delete_reflex(self, reflex_id: str) -> None:
        """Delete a reflex and its firings."""
        return await self._run(ReflexesCalls.delete_reflex, reflex_id)

    async def get_reflex(self, reflex_id: str) -> Reflex:
        """Get a reflex."""
        return await self._run(ReflexesCalls.get_reflex, reflex_id)

    async def list_firings(
        self,
        reflex_id: str,
        *,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> list[Firing]:
        """List the firings of a reflex with their outcomes, newest first."""
        return await self._run(ReflexesCalls.list_firings, reflex_id, limit=limit, before=before)

    def list_firings_all(
        self,
        reflex_id: str,
        *,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> AsyncItems[Firing]:
        """List the firings of a reflex with their outcomes, newest first: the items of all
        pages."""
        return self._items(ReflexesCalls.list_firings_all, reflex_id, limit=limit, before=before)

    async def list_reflexes(self) -> list[Reflex]:
        """List the caller’s reflexes."""
        return await self._run(ReflexesCalls.list_reflexes)

    async def renew_webhook_secret(self, reflex_id: str) -> NewWebhookSecret:
        """Replace the webhook signing secret; the new one is returned once."""
        return await self._run(ReflexesCalls.renew_webhook_secret, reflex_id)

    async def test_reflex(self, reflex_id: str, *, event: FiringEvent) -> ReflexTest:
        """Evaluate a reflex with an event, without a firing or effects."""
        return await self._run(ReflexesCalls.test_reflex, reflex_id, event=event)

    async def update_reflex(
        self,
        reflex_id: str,
        *,
        name: str = OMIT,
        trigger: Union[
            CreateReflexTriggerSignal,
            CreateReflexTriggerSchedule,
            CreateReflexTriggerMemory,
            CreateReflexTriggerMessage,
        ] = OMIT,
        conditions: list[CreateReflexConditions] = OMIT,
        action: Union[
            CreateReflexActionNotify,
            CreateReflexActionRemember,
            CreateReflexActionWebhook,
        ] = OMIT,
        confirm: bool = OMIT,
        enabled: bool = OMIT,
        skip_always: bool = OMIT,
    ) -> ReflexWithSecret:
        """Update a reflex; omitted fields keep their value."""
        return await self._run(
            ReflexesCalls.update_reflex,
            reflex_id,
            name=name,
            trigger=trigger,
            conditions=conditions,
            action=action,
            confirm=confirm,
            enabled=enabled,
            skip_always=skip_always,
        )

    async def decide_confirmation(
        self,
        intent_id: str,
        *,
        decision: Literal["fire", "skip_once", "skip_always"],
    ) -> dict[str, Any]:
        """Confirm a firing, skip it once, or always skip its reflex."""
        return await self._run(ReflexesCalls.decide_confirmation, intent_id, decision=decision)

    async def list_confirmations(
        self,
        *,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> list[Confirmation]:
        """List the firings that wait for confirmation, newest first."""
        return await self._run(ReflexesCalls.list_confirmations, limit=limit, before=before)

    def list_confirmations_all(
        self,
        *,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> AsyncItems[Confirmation]:
        """List the firings that wait for confirmation, newest first: the items of all pages."""
        return self._items(ReflexesCalls.list_confirmations_all, limit=limit, before=before)


class AsyncConversationsCalls(_AsyncCalls):
    _sync = ConversationsCalls

    async def chat(
        self,
        *,
        message: str,
        provider: str = OMIT,
        file_ids: list[str] = OMIT,
        content_blocks: list[ContentBlock] = OMIT,
        tools: list[str] = OMIT,
        url_snapshot_hash: Optional[str] = OMIT,
        deep: bool = OMIT,
        depth: Optional[Depth] = OMIT,
        existing_reflex_id: Optional[str] = OMIT,
        geo_lat: Optional[float] = OMIT,
        geo_lon: Optional[float] = OMIT,
        session_id: Optional[str] = OMIT,
    ) -> ChatAnswer:
        """Send a message and get the complete answer."""
        return await self._run(
            ConversationsCalls.chat,
            message=message,
            provider=provider,
            file_ids=file_ids,
            content_blocks=content_blocks,
            tools=tools,
            url_snapshot_hash=url_snapshot_hash,
            deep=deep,
            depth=depth,
            existing_reflex_id=existing_reflex_id,
            geo_lat=geo_lat,
            geo_lon=geo_lon,
            session_id=session_id,
        )

    async def chat_stream(
        self,
        *,
        message: str,
        provider: str = OMIT,
        file_ids: list[str] = OMIT,
        content_blocks: list[ContentBlock] = OMIT,
        tools: list[str] = OMIT,
        url_snapshot_hash: Optional[str] = OMIT,
        deep: bool = OMIT,
        depth: Optional[Depth] = OMIT,
        existing_reflex_id: Optional[str] = OMIT,
        geo_lat: Optional[float] = OMIT,
        geo_lon: Optional[float] = OMIT,
        session_id: Optional[str] = OMIT,
    ) -> AsyncStream[ChatStreamEvent]:
        """Send a message and stream the answer."""
        return await self._stream(
            ConversationsCalls.chat_stream,
            message=message,
            provider=provider,
            file_ids=file_ids,
            content_blocks=content_blocks,
            tools=tools,
            url_snapshot_hash=url_snapshot_hash,
            deep=deep,
            depth=depth,
            existing_reflex_id=existing_reflex_id,
            geo_lat=geo_lat,
            geo_lon=geo_lon,
            session_id=session_id,
        )

    async def list_chat_models(self) -> ListChatModelsResponse:
        """List the models that can answer, by the `provider` that selects them."""
        return await self._run(ConversationsCalls.list_chat_models)

    async def regenerate(
        self,
        *,
        message: str,
        session_id: str,
        provider: str = OMIT,
        file_ids: list[str] = OMIT,
        content_blocks: list[ContentBlock] = OMIT,
        tools: list[str] = OMIT,
        url_snapshot_hash: Optional[str] = OMIT,
        deep: bool = OMIT,
        depth: Optional[Depth] = OMIT,
        existing_reflex_id: Optional[str] = OMIT,
        geo_lat: Optional[float] = OMIT,
        geo_lon: Optional[float] = OMIT,
    ) -> None:
        """Regenerate the last answer of a session; the old one is kept as a version."""
        return await self._run(
            ConversationsCalls.regenerate,
            message=message,
            session_id=session_id,
            provider=provider,
            file_ids=file_ids,
            content_blocks=content_blocks,
            tools=tools,
            url_snapshot_hash=url_snapshot_hash,
            deep=deep,
            depth=depth,
            existing_reflex_id=existing_reflex_id,
            geo_lat=geo_lat,
            geo_lon=geo_lon,
        )

    async def regenerate_stream(
        self,
        *,
        message: str,
        session_id: str,
        provider: str = OMIT,
        file_ids: list[str] = OMIT,
        content_blocks: list[ContentBlock] = OMIT,
        tools: list[str] = OMIT,
        url_snapshot_hash: Optional[str] = OMIT,
        deep: bool = OMIT,
        depth: Optional[Depth] = OMIT,
        existing_reflex_id: Optional[str] = OMIT,
        geo_lat: Optional[float] = OMIT,
        geo_lon: Optional[float] = OMIT,
    ) -> AsyncStream[ChatStreamEvent]:
        """Regenerate the last answer of a session; the old one is kept as a version."""
        return await self._stream(
            ConversationsCalls.regenerate_stream,
            message=message,
            session_id=session_id,
            provider=provider,
            file_ids=file_ids,
            content_blocks=content_blocks,
            tools=tools,
            url_snapshot_hash=url_snapshot_hash,
            deep=deep,
            depth=depth,
            existing_reflex_id=existing_reflex_id,
            geo_lat=geo_lat,
            geo_lon=geo_lon,
        )

    async def talk(
        self,
        *,
        message: str,
        agent_slug: Optional[str] = OMIT,
        current_task: Optional[str] = OMIT,
        scope_mode: ScopeMode = OMIT,
        proposed_self_definition: Optional[str] = OMIT,
        proposed_mandate: Optional[str] = OMIT,
        proposed_boundaries: Optional[list[str]] = OMIT,
        proposed_agent_type: Optional[str] = OMIT,
    ) -> TalkAnswer:
        """Send a message as an agent and get the complete answer."""
        return await self._run(
            ConversationsCalls.talk,
            message=message,
            agent_slug=agent_slug,
            current_task=current_task,
            scope_mode=scope_mode,
            proposed_self_definition=proposed_self_definition,
            proposed_mandate=proposed_mandate,
            proposed_boundaries=proposed_boundaries,
            proposed_agent_type=proposed_agent_type,
        )

    async def talk_stream(
        self,
        *,
        message: str,
        progress: bool = OMIT,
        agent_slug: Optional[str] = OMIT,
        current_task: Optional[str] = OMIT,
        scope_mode: ScopeMode = OMIT,
        proposed_self_definition: Optional[str] = OMIT,
        proposed_mandate: Optional[str] = OMIT,
        proposed_boundaries: Optional[list[str]] = OMIT,
        proposed_agent_type: Optional[str] = OMIT,
    ) -> AsyncStream[TalkStreamEvent]:
        """Send a message as an agent and stream the answer."""
        return await self._stream(
            ConversationsCalls.talk_stream,
            message=message,
            progress=progress,
            agent_slug=agent_slug,
            current_task=current_task,
            scope_mode=scope_mode,
            proposed_self_definition=proposed_self_definition,
            proposed_mandate=proposed_mandate,
            proposed_boundaries=proposed_boundaries,
            proposed_agent_type=proposed_agent_type,
        )

    async def suggest(self) -> Suggestions:
        """Suggest next messages based on recent memories and conversations."""
        return await self._run(ConversationsCalls.suggest)

    async def transcribe(
        self,
        file: FileInput,
        *,
        language: str = OMIT,
        filename: Optional[str] = None,
    ) -> Transcription:
        """Transcribe an audio file of up to 25 MB."""
        return await self._run(
            ConversationsCalls.transcribe,
            file,
            language=language,
            filename=filename,
        )

    async def read_url(self, *, url: str) -> UrlPage:
        """Read the text of a public web page, PDF or text file."""
        return await self._run(ConversationsCalls.read_url, url=url)


class AsyncChatSessionsCalls(_AsyncCalls):
    _sync = ChatSessionsCalls

    async def archive_chat_session(self, session_id: str) -> ChatSession:
        """Archive or unarchive a chat session."""
        return await self._run(ChatSessionsCalls.archive_chat_session, session_id)

    async def branch_chat_session(
        self,
        session_id: str,
        *,
        message_id: str,
        is_included: bool = OMIT,
    ) -> ChatSession:
        """Copy a chat session up to a message into a new one, to go on differently from there."""
        return await self._run(
            ChatSessionsCalls.branch_chat_session,
            session_id,
            message_id=message_id,
            is_included=is_included,
        )

    async def create_chat_session(self, *, title: Optional[str] = OMIT) -> ChatSession:
        """Create a chat session."""
        return await self._run(ChatSessionsCalls.create_chat_session, title=title)

    async def delete_chat_session(self, session_id: str) -> None:
        """Delete a chat session and its messages permanently."""
        return await self._run(ChatSessionsCalls.delete_chat_session, session_id)

    async def get_chat_session(self, session_id: str) -> ChatSession:
        """Get a chat session without its messages."""
        return await self._run(ChatSessionsCalls.get_chat_session, session_id)

    async def list_chat_sessions(
        self,
        *,
        q: str = OMIT,
        category_id: str = OMIT,
        archived: bool = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> list[ChatSession]:
        """List chat sessions, pinned ones first, then the most recently changed."""
        return await self._run(
            ChatSessionsCalls.list_chat_sessions,
            q=q,
            category_id=category_id,
            archived=archived,
            before=before,
            limit=limit,
        )

    def list_chat_sessions_all(
        self,
        *,
        q: str = OMIT,
        category_id: str = OMIT,
        archived: bool = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> AsyncItems[ChatSession]:
        """List chat sessions, pinned ones first, then the most recently changed: the items of all
        pages."""
        return self._items(
            ChatSessionsCalls.list_chat_sessions_all,
            q=q,
            category_id=category_id,
            archived=archived,
            before=before,
            limit=limit,
        )

    async def move_chat_session(
        self,
        session_id: str,
        *,
        category_id: Optional[str],
    ) -> ChatSession:
        """Move a chat session into a category, or out of it."""
        return await self._run(
            ChatSessionsCalls.move_chat_session,
            session_id,
            category_id=category_id,
        )

    async def pin_chat_session(self, session_id: str) -> ChatSession:
        """Pin or unpin a chat session."""
        return await self._run(ChatSessionsCalls.pin_chat_session, session_id)

    async def read_chat_session(self, session_id: str) -> ChatSession:
        """Mark a chat session as read."""
        return await self._run(ChatSessionsCalls.read_chat_session, session_id)

    async def title_chat_session(self, session_id: str) -> ChatSession:
        """Let a model name a chat session by its first messages. Without a model, and for a session
        that the user named, nothing changes."""
        return await self._run(ChatSessionsCalls.title_chat_session, session_id)

    async def update_chat_session(self, session_id: str, *, title: str) -> ChatSession:
        """Change the title of a chat session."""
        return await self._run(ChatSessionsCalls.update_chat_session, session_id, title=title)

    async def get_message_context(self, session_id: str, message_id: str) -> MessageContext:
        """Get what the model was given for an answer."""
        return await self._run(ChatSessionsCalls.get_message_context, session_id, message_id)

    async def list_chat_messages(
        self,
        session_id: str,
        *,
        q: str = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> list[ChatMessage]:
        """List the latest messages of a chat session, oldest first."""
        return await self._run(
            ChatSessionsCalls.list_chat_messages,
            session_id,
            q=q,
            before=before,
            limit=limit,
        )

    def list_chat_messages_all(
        self,
        session_id: str,
        *,
        q: str = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> AsyncItems[ChatMessage]:
        """List the latest messages of a chat session, oldest first: the items of all pages."""
        return self._items(
            ChatSessionsCalls.list_chat_messages_all,
            session_id,
            q=q,
            before=before,
            limit=limit,
        )

    async def create_session_category(
        self,
        *,
        name: str,
        color: Optional[str] = OMIT,
        icon: Optional[str] = OMIT,
    ) -> SessionCategory:
        """Create a category."""
        return await self._run(
            ChatSessionsCalls.create_session_category,
            name=name,
            color=color,
            icon=icon,
        )

    async def delete_session_category(self, category_id: str) -> None:
        """Delete a category; its sessions are kept without one."""
        return await self._run(ChatSessionsCalls.delete_session_category, category_id)

    async def list_session_categories(self) -> list[SessionCategory]:
        """List the categories of chat sessions."""
        return await self._run(ChatSessionsCalls.list_session_categories)

    async def update_session_category(
        self,
        category_id: str,
        *,
        name: Optional[str] = OMIT,
        color: Optional[str] = OMIT,
        icon: Optional[str] = OMIT,
    ) -> SessionCategory:
        """Update a category; null or omitted fields keep their value."""
        return await self._run(
            ChatSessionsCalls.update_session_category,
            category_id,
            name=name,
            color=color,
            icon=icon,
        )


class AsyncAgentsCalls(_AsyncCalls):
    _sync = AgentsCalls

    async def agent_timeline(self, slug: str, *, page: int = OMIT, limit: int = OMIT) -> Timeline:
        """List an agent’s messages and the responses, newest first."""
        return await self._run(AgentsCalls.agent_timeline, slug, page=page, limit=limit)

    def agent_timeline_all(
        self,
        slug: str,
        *,
        page: int = OMIT,
        limit: int = OMIT,
    ) -> AsyncItems[TimelineEntry]:
        """List an agent’s messages and the responses, newest first: the items of all pages."""
        return self._items(AgentsCalls.agent_timeline_all, slug, page=page, limit=limit)

    async def delete_agent(self, slug: str) -> None:
        """Delete an agent and its timeline; its memories are kept."""
        return await self._run(AgentsCalls.delete_agent, slug)

    async def get_agent(self, slug: str) -> Agent:
        """Get an agent’s definition and its open proposal."""
        return await self._run(AgentsCalls.get_agent, slug)

    async def list_agents(self) -> list[Agent]:
        """List the caller’s agents, most recently active first."""
        return await self._run(AgentsCalls.list_agents)

    async def update_agent(
        self,
        slug: str,
        *,
        accept: bool = OMIT,
        self_definition: Optional[str] = OMIT,
        mandate: Optional[str] = OMIT,
        boundaries: Optional[list[str]] = OMIT,
        agent_type: Optional[str] = OMIT,
    ) -> Agent:
        """Accept or decline an agent’s proposal, or change its definition."""
        return await self._run(
            AgentsCalls.update_agent,
            slug,
            accept=accept,
            self_definition=self_definition,
            mandate=mandate,
            boundaries=boundaries,
            agent_type=agent_type,
        )


class AsyncFilesCalls(_AsyncCalls):
    _sync = FilesCalls

    async def delete_file(self, file_id: str) -> None:
        """Delete a file permanently."""
        return await self._run(FilesCalls.delete_file, file_id)

    async def get_file(self, file_id: str) -> StoredFile:
        """Get the metadata of a file."""
        return await self._run(FilesCalls.get_file, file_id)

    async def get_file_content(self, file_id: str) -> AsyncDownload:
        """Download a file."""
        return await self._download(FilesCalls.get_file_content, file_id)

    async def list_files(self, *, before: str = OMIT, limit: int = OMIT) -> list[StoredFile]:
        """List the caller’s files, newest first."""
        return await self._run(FilesCalls.list_files, before=before, limit=limit)

    def list_files_all(self, *, before: str = OMIT, limit: int = OMIT) -> AsyncItems[StoredFile]:
        """List the caller’s files, newest first: the items of all pages."""
        return self._items(FilesCalls.list_files_all, before=before, limit=limit)

    async def upload_file(self, file: FileInput, *, filename: Optional[str] = None) -> StoredFile:
        """Upload a text file, PDF or image of up to 25 MB to attach to a conversation."""
        return await self._run(FilesCalls.upload_file, file, filename=filename)


class AsyncEmailCalls(_AsyncCalls):
    _sync = EmailCalls

    async def get_email_thread(
        self,
        thread_id: str,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> EmailThreadDetail:
        """Get the messages of a thread with the delivery state of each email."""
        return await self._run(EmailCalls.get_email_thread, thread_id, limit=limit, cursor=cursor)

    def get_email_thread_all(
        self,
        thread_id: str,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AsyncItems[EmailMessage]:
        """Get the messages of a thread with the delivery state of each email: the items of all
        pages."""
        return self._items(EmailCalls.get_email_thread_all, thread_id, limit=limit, cursor=cursor)

    async def list_email_threads(self, *, limit: int = OMIT, cursor: str = OMIT) -> EmailThreads:
        """List the caller’s email threads, most recent message first."""
        return await self._run(EmailCalls.list_email_threads, limit=limit, cursor=cursor)

    def list_email_threads_all(
        self,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AsyncItems[EmailThread]:
        """List the caller’s email threads, most recent message first: the items of all pages."""
        return self._items(EmailCalls.list_email_threads_all, limit=limit, cursor=cursor)

    async def send_email(
        self,
        *,
        to: list[str],
        subject: str,
        text: str,
        html: Optional[str] = OMIT,
        reply_to_thread: Optional[str] = OMIT,
    ) -> dict[str, Any]:
        """Send an email to up to 50 recipients, each as a separate email."""
        return await self._run(
            EmailCalls.send_email,
            to=to,
            subject=subject,
            text=text,
            html=html,
            reply_to_thread=reply_to_thread,
        )


class AsyncDirectMessagesCalls(_AsyncCalls):
    _sync = DirectMessagesCalls

    async def archive_direct_thread(self, thread_id: str) -> DirectThread:
        """Archive or unarchive a thread for the caller."""
        return await self._run(DirectMessagesCalls.archive_direct_thread, thread_id)

    async def list_direct_messages(
        self,
        thread_id: str,
        *,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> list[DirectMessage]:
        """List the latest messages of a thread, oldest first."""
        return await self._run(
            DirectMessagesCalls.list_direct_messages,
            thread_id,
            before=before,
            limit=limit,
        )

    def list_direct_messages_all(
        self,
        thread_id: str,
        *,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> AsyncItems[DirectMessage]:
        """List the latest messages of a thread, oldest first: the items of all pages."""
        return self._items(
            DirectMessagesCalls.list_direct_messages_all,
            thread_id,
            before=before,
            limit=limit,
        )

    async def list_direct_threads(
        self,
        *,
        include_archived: bool = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> list[DirectThread]:
        """List the caller’s threads, most recent message first."""
        return await self._run(
            DirectMessagesCalls.list_direct_threads,
            include_archived=include_archived,
            before=before,
            limit=limit,
        )

    def list_direct_threads_all(
        self,
        *,
        include_archived: bool = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> AsyncItems[DirectThread]:
        """List the caller’s threads, most recent message first: the items of all pages."""
        return self._items(
            DirectMessagesCalls.list_direct_threads_all,
            include_archived=include_archived,
            before=before,
            limit=limit,
        )

    async def read_direct_thread(self, thread_id: str) -> DirectThread:
        """Mark a thread as read."""
        return await self._run(DirectMessagesCalls.read_direct_thread, thread_id)

    async def send_direct_message(
        self,
        thread_id: str,
        *,
        content: str,
        reply_to_message_id: Optional[str] = OMIT,
    ) -> DirectMessage:
        """Send a direct message."""
        return await self._run(
            DirectMessagesCalls.send_direct_message,
            thread_id,
            content=content,
            reply_to_message_id=reply_to_message_id,
        )

    async def start_direct_thread(self, *, username: str) -> DirectThread:
        """Create a thread with a user, or return the existing one."""
        return await self._run(DirectMessagesCalls.start_direct_thread, username=username)


class AsyncSharesCalls(_AsyncCalls):
    _sync = SharesCalls

    async def create_share(self, *, session_id: str, message_id: Optional[str] = OMIT) -> Share:
        """Share a snapshot of a chat session, or of its messages up to one, by link."""
        return await self._run(
            SharesCalls.create_share,
            session_id=session_id,
            message_id=message_id,
        )

    async def delete_share(self, token: str) -> None:
        """Delete a share; its link stops working."""
        return await self._run(SharesCalls.delete_share, token)

    async def get_share(
        self,
        token: str,
        *,
        cursor: int = OMIT,
        limit: int = OMIT,
    ) -> SharedConversation:
        """Get a shared conversation (public)."""
        return await self._run(SharesCalls.get_share, token, cursor=cursor, limit=limit)

    def get_share_all(
        self,
        token: str,
        *,
        cursor: int = OMIT,
        limit: int = OMIT,
    ) -> AsyncItems[SharedMessage]:
        """Get a shared conversation (public): the items of all pages."""
        return self._items(SharesCalls.get_share_all, token, cursor=cursor, limit=limit)

    async def list_shares(self, *, before: str = OMIT, limit: int = OMIT) -> list[OwnShare]:
        """List the caller’s shares, newest first."""
        return await self._run(SharesCalls.list_shares, before=before, limit=limit)

    def list_shares_all(self, *, before: str = OMIT, limit: int = OMIT) -> AsyncItems[OwnShare]:
        """List the caller’s shares, newest first: the items of all pages."""
        return self._items(SharesCalls.list_shares_all, before=before, limit=limit)


class AsyncActivityCalls(_AsyncCalls):
    _sync = ActivityCalls

    async def get_activity(self, event_id: str) -> ActivityDetail:
        """Get one event with its memories and the explanation of their scores."""
        return await self._run(ActivityCalls.get_activity, event_id)

    async def get_activity_settings(self) -> ActivitySettings:
        """Get whether your questions are kept."""
        return await self._run(ActivityCalls.get_activity_settings)

    async def list_activity(
        self,
        *,
        kind: str = OMIT,
        client: str = OMIT,
        session: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        before: str = OMIT,
        after: str = OMIT,
        limit: int = OMIT,
    ) -> ActivityPage:
        """List what was read from the memory and written to it, newest first; or follow it."""
        return await self._run(
            ActivityCalls.list_activity,
            kind=kind,
            client=client,
            session=session,
            since=since,
            until=until,
            before=before,
            after=after,
            limit=limit,
        )

    async def list_activity_stream(
        self,
        *,
        kind: str = OMIT,
        client: str = OMIT,
        session: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        before: str = OMIT,
        after: str = OMIT,
        limit: int = OMIT,
    ) -> AsyncStream[ListActivityEvent]:
        """List what was read from the memory and written to it, newest first; or follow it."""
        return await self._stream(
            ActivityCalls.list_activity_stream,
            kind=kind,
            client=client,
            session=session,
            since=since,
            until=until,
            before=before,
            after=after,
            limit=limit,
        )

    def list_activity_all(
        self,
        *,
        kind: str = OMIT,
        client: str = OMIT,
        session: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        before: str = OMIT,
        after: str = OMIT,
        limit: int = OMIT,
    ) -> AsyncItems[ActivityEvent]:
        """List what was read from the memory and written to it, newest first; or follow it: the
        items of all pages."""
        return self._items(
            ActivityCalls.list_activity_all,
            kind=kind,
            client=client,
            session=session,
            since=since,
            until=until,
            before=before,
            after=after,
            limit=limit,
        )

    async def set_activity_settings(self, *, keeps_questions: bool) -> ActivitySettings:
        """Choose whether your questions are kept; `false` also erases those that were."""
        return await self._run(ActivityCalls.set_activity_settings, keeps_questions=keeps_questions)

    async def activity_days(self, *, days: int = OMIT) -> ActivityDays:
        """Count what was asked, read and written on each day, in the newest 100,000 events."""
        return await self._run(ActivityCalls.activity_days, days=days)

    async def list_assistants(self) -> ListAssistantsResponse:
        """Count what each assistant read and wrote, in the newest 100,000 events."""
        return await self._run(ActivityCalls.list_assistants)


class AsyncSystemCalls(_AsyncCalls):
    _sync = SystemCalls

    async def health(self) -> Health:
        """Report that the process is running."""
        return await self._run(SystemCalls.health)

    async def health_detail(self) -> HealthDetail:
        """Report the state and latency of each part; 503 until recall is warm."""
        return await self._run(SystemCalls.health_detail)

    async def ready(self) -> Ready:
        """Report whether the server can serve requests; 503 while the database is down, or the
        server stops."""
        return await self._run(SystemCalls.ready)
