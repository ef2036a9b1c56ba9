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
{{groups}}

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
