"""The protocol of sessions of the OpenAI Agents SDK, as its reference documents it."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Session(Protocol):
    session_id: str
    session_settings: object

    async def get_items(self, limit=None):
        raise NotImplementedError

    async def add_items(self, items):
        raise NotImplementedError

    async def pop_item(self):
        raise NotImplementedError

    async def clear_session(self):
        raise NotImplementedError
