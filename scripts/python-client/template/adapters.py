

class _Log:
    """The messages of a conversation that another framework holds, as captured turns.

    Each message is a memory of the thread `client:session`, so that recall finds it. Each has a
    turn of its own, which makes a repeated write harmless. A message that is more than a text,
    such as a tool call, is stored as a JSON object with the key `svc_item`; one that is too long
    for a memory in pieces, with their number and their count.
    """

    #: The most messages of one request, and the size of its body in characters.
    BATCH = 500
    BATCH_LENGTH = 150_000
    PAGE = 100
    ITEM, PIECE = "svc_item", "svc_piece"
    #: A memory has up to 32,000 characters. JSON writes some of them with six.
    MAX_LENGTH = 16_000
    PIECE_LENGTH = 5_000

    def __init__(self, svc: Svc, client: str, session_id: str) -> None:
        self._svc, self._client, self._session_id = svc, client, session_id

    def add(self, messages: Sequence[tuple[str, Any]]) -> None:
        """Appends messages, each a role with a text or a JSON object."""
        batch: list[Any] = []
        length = 0
        for role, value in messages:
            for content in self._contents(value):
                if len(batch) == self.BATCH or length + len(content) > self.BATCH_LENGTH:
                    self._capture(batch)
                    batch, length = [], 0
                length += len(content)
                kind = "user" if role == "user" else "assistant"
                batch.append({"turn": uuid.uuid4().hex, "role": kind, "content": content})
        self._capture(batch)

    def _capture(self, messages: list[Any]) -> None:
        if messages:
            self._svc.captures.capture(
                client=self._client, channel="hook", session=self._session_id, messages=messages
            )

    def _contents(self, value: Any) -> list[str]:
        """The texts that hold a value: one, or the pieces of a long one."""
        is_plain = isinstance(value, str) and value and value == value.strip()
        if is_plain and not value.startswith('{"svc_'):
            text = str(value)
        else:
            text = self._packed(self.ITEM, value)
        if len(text) <= self.MAX_LENGTH:
            return [text]
        starts = range(0, len(text), self.PIECE_LENGTH)
        return [
            self._packed(self.PIECE, [i, len(starts), text[start : start + self.PIECE_LENGTH]])
            for i, start in enumerate(starts)
        ]

    @staticmethod
    def _packed(key: str, value: Any) -> str:
        return json.dumps({key: value}, ensure_ascii=False, separators=(",", ":"))

    def newest(self) -> Iterator[tuple[list[str], str, Any]]:
        """The messages, newest first: the ids of the memories, the role and the value."""
        ids: list[str] = []
        rest = ""
        for memory in self._memories():
            text = memory["content_text"]
            packed = _parse(text.encode()) if text.startswith('{"svc_') else None
            ids.append(memory["memory_id"])
            if isinstance(packed, dict) and self.PIECE in packed:
                index, _, piece = packed[self.PIECE]
                rest = piece + rest
                if index > 0:
                    continue
                text = rest
                packed = _parse(text.encode()) if text.startswith('{"svc_') else None
            role = "user" if memory["source"]["kind"] == "prompt" else "assistant"
            yield ids, role, packed[self.ITEM] if isinstance(packed, dict) else text
            ids, rest = [], ""

    def _memories(self) -> Iterator[Memory]:
        thread = f"{self._client}:{self._session_id}"
        cursor: Any = OMIT
        while cursor is not None:
            page = self._svc.memories.list_memories(thread=thread, limit=self.PAGE, cursor=cursor)
            yield from page["memories"]
            cursor = page["next_cursor"]

    def pop(self) -> Optional[tuple[str, Any]]:
        """Deletes the newest message, and returns its role and value."""
        for ids, role, value in self.newest():
            for memory_id in ids:
                self._svc.memories.delete_memory(memory_id)
            return role, value
        return None

    def clear(self) -> None:
        """Deletes all messages. They can be restored for 30 days."""
        with contextlib.suppress(NotFound):
            self._svc.captures.delete_capture(client=self._client, session=self._session_id)


class AgentsSession:
    """A session of the OpenAI Agents SDK, stored on the server and found by recall.

        result = await Runner.run(agent, "Hello", session=AgentsSession(svc, "support-42"))

    It has the methods that the SDK documents for a session, and needs no import of it.

    Args:
        session_id: Names the conversation; up to 200 characters.
    """

    CLIENT = "openai-agents"

    def __init__(self, svc: Svc, session_id: str) -> None:
        self.session_id = session_id
        self.session_settings: Any = None
        self._log = _Log(svc, self.CLIENT, session_id)

    async def get_items(self, limit: Optional[int] = None) -> list[Any]:
        """The latest items, in the order of the conversation."""
        return await _in_thread(self._items, limit)

    async def add_items(self, items: Sequence[Any]) -> None:
        await _in_thread(self._log.add, [self._message(dict(item)) for item in items])

    async def pop_item(self) -> Optional[Any]:
        """Deletes the latest item and returns it; None if there is none."""
        found = await _in_thread(self._log.pop)
        return None if found is None else self._item(*found)

    async def clear_session(self) -> None:
        await _in_thread(self._log.clear)

    def _items(self, limit: Optional[int]) -> list[Any]:
        if limit is not None and limit <= 0:
            return []
        newest = itertools.islice(self._log.newest(), limit)
        return [self._item(role, value) for _, role, value in newest][::-1]

    @staticmethod
    def _message(item: dict[str, Any]) -> tuple[str, Any]:
        role = str(item.get("role", "assistant"))
        is_text = set(item) == {"role", "content"} and isinstance(item["content"], str)
        return (role, item["content"]) if is_text and role in _ROLES else (role, item)

    @staticmethod
    def _item(role: str, value: Any) -> Any:
        return {"role": role, "content": value} if isinstance(value, str) else value


_ROLES = ("user", "assistant")


async def _in_thread(function: Callable[..., T], *arguments: Any) -> T:
    # Only here, because it takes a third of the time of importing this module.
    import asyncio

    return await asyncio.to_thread(function, *arguments)


def langchain_history(svc: Svc, session_id: str) -> Any:
    """A chat message history of LangChain (`BaseChatMessageHistory`), stored on the server.

        RunnableWithMessageHistory(chain, lambda session_id: langchain_history(svc, session_id))

    Raises:
        ImportError: The package langchain-core is not installed.
    """
    return _history_class()(svc, session_id)


@functools.cache
def _history_class() -> Any:
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.messages import (
        AIMessage,
        HumanMessage,
        message_to_dict,
        messages_from_dict,
    )

    class SvcChatMessageHistory(BaseChatMessageHistory):
        """The messages of a conversation, as memories of the user."""

        def __init__(self, svc: Svc, session_id: str) -> None:
            self.session_id = session_id
            self._log = _Log(svc, "langchain", session_id)

        @property
        def messages(self) -> list[Any]:
            return [_from_log(role, value) for _, role, value in self._log.newest()][::-1]

        @messages.setter
        def messages(self, messages: Sequence[Any]) -> None:
            self.clear()
            self.add_messages(messages)

        def add_messages(self, messages: Sequence[Any]) -> None:
            self._log.add([_to_log(message) for message in messages])

        def clear(self) -> None:
            self._log.clear()

    plain = {"user": HumanMessage, "assistant": AIMessage}

    def _from_log(role: str, value: Any) -> Any:
        if isinstance(value, str):
            return plain[role](content=value)
        return messages_from_dict([value])[0]

    def _to_log(message: Any) -> tuple[str, Any]:
        role = "user" if isinstance(message, HumanMessage) else "assistant"
        content, stored = message.content, message_to_dict(message)
        is_plain = (
            type(message) is plain[role]
            and isinstance(content, str)
            and stored == message_to_dict(plain[role](content=content))
        )
        return (role, content) if is_plain else (role, stored)

    return SvcChatMessageHistory


def langchain_retriever(svc: Svc, **options: Any) -> Any:
    """A retriever of LangChain (`BaseRetriever`) that recalls memories.

    Args:
        options: Arguments of `memories.recall`, such as `limit` or `tags`.

    Raises:
        ImportError: The package langchain-core is not installed.
    """
    return _retriever_class()(svc=svc, options=options)


@functools.cache
def _retriever_class() -> Any:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

    class SvcRetriever(BaseRetriever):
        """Recalls the memories of the user as documents, best first."""

        svc: Any
        options: Any

        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            found = self.svc.memories.recall(query=query, **self.options)
            return [_document(memory) for memory in found["memories"]]

    def _document(memory: Mapping[str, Any]) -> Any:
        text = memory["content_text"]
        metadata = {name: value for name, value in memory.items() if name != "content_text"}
        return Document(id=memory["memory_id"], page_content=text, metadata=metadata)

    return SvcRetriever
