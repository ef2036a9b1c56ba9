"""Calls of the client for asyncio, at a server that answers as the test says. Prints `done`."""

import asyncio
import json
import sys
import threading
import time

from svc_client import NotFound, StreamCut
from svc_client.aio import AsyncSvc

URL, way = sys.argv[1:]


def client(**options):
    return AsyncSvc(URL, "svc_key", **options)


async def calls():
    """Calls at the same time, each a response of its own, and an error with its class."""
    async with client() as svc:
        found = await asyncio.gather(*(svc.memories.recall(query=str(i)) for i in range(40)))
        assert [each["count"] for each in found] == list(range(40)), found
        try:
            await svc.memories.get_memory("gone")
            raise AssertionError
        except NotFound as error:
            assert error.reason == "memory_not_found"
        paged = [memory["content_text"] async for memory in svc.memories.list_memories_all()]
        assert paged == ["a", "b", "c"], paged


async def stream():
    """The loop goes on while a stream waits for its next event."""
    async with client() as svc:
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.01)

        ticking = asyncio.create_task(tick())
        async with await svc.conversations.chat_stream(message="Hello") as events:
            names = [event["event"] async for event in events]
        assert names == ["start", "delta", "delta", "done"], names
        assert ticks > 10, ticks
        ticking.cancel()
        async with svc.conversation("s") as chat:
            answer = await chat.ask("Hello")
            assert [text async for text in answer] == ["One ", "two."]
            assert answer.text == "One two."
        try:
            async for _ in await svc.conversations.chat_stream(message="cut"):
                pass
            raise AssertionError
        except StreamCut:
            pass


async def cancelled(begin):
    """Cancelling ends the wait at once, and the connection; the client goes on to work."""
    async with client() as svc:
        before = time.monotonic()
        for _ in range(3):
            try:
                await asyncio.wait_for(begin(svc), 0.3)
                raise AssertionError
            except asyncio.TimeoutError:
                pass
        assert time.monotonic() - before < 10
        assert await svc.account.me()
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            thread.join(5)
            assert not thread.is_alive(), thread


async def cancel_call():
    await cancelled(lambda svc: svc.conversations.chat(message="silent"))


async def cancel_stream():
    async def read(svc):
        async for _ in await svc.conversations.chat_stream(message="silent"):
            pass

    await cancelled(read)


async def cancel_retry():
    """The server asks for 20 seconds."""
    await cancelled(lambda svc: svc.memories.recall(query="wait"))


async def leave():
    async with client() as svc:
        async with await svc.conversations.chat_stream(message="silent") as events:
            async for _ in events:
                break
        reading = await svc.conversations.chat_stream(message="silent")
        assert [(await reading.__anext__())["event"] for _ in range(2)] == ["start", "delta"]
        waiting = asyncio.create_task(reading.__anext__())
        await asyncio.sleep(0.1)
        await reading.aclose()
        try:
            await waiting
            raise AssertionError
        except (StreamCut, StopAsyncIteration):
            pass


asyncio.run(globals()[way]())
print(json.dumps("done"))
