"""The protocol of sessions of the OpenAI Agents SDK, as its reference documents it."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Session(Protocol):
    session_id: str
    session_settings: object

    async def get_items(self, limit=None):
        ...

    async def add_items(self, items):
        ...

    async def pop_item(self):
        ...

    async def clear_session(self):
        ...
