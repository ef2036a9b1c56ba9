

class Answer(Iterator[str]):
    """The answer to a message, in pieces of text, as the model writes it.

    Attributes:
        text: The text so far.
        session_id: The chat session.
        message: The stored message, once the answer is complete.
        memories: The memories that were recalled for the answer, best first.
        tools: The events of the tools that the model called.

    Raises:
        StreamFailed: The model failed. The text so far is kept on the server.
        StreamCut: The connection ended before the answer.
    """

    def __init__(self, stream: Stream[ChatStreamEvent], on_start: Callable[[str], None]) -> None:
        self.text = ""
        self.session_id: Optional[str] = None
        self.message: Optional[ChatMessage] = None
        self.memories: list[RecalledMemory] = []
        self.tools: list[Any] = []
        self._stream = stream
        self._on_start = on_start

    def __iter__(self) -> Answer:
        return self

    def __next__(self) -> str:
        for event in self._stream:
            if event["event"] == "start":
                self.session_id = event["data"]["session_id"]
                self._on_start(self.session_id)
            elif event["event"] == "memories":
                self.memories = event["data"]["memories"]
            elif event["event"] == "tool":
                self.tools.append(event["data"])
            elif event["event"] == "done":
                self.message = event["data"]["message"]
            elif event["event"] == "delta":
                self.text += event["data"]["text"]
                return event["data"]["text"]
        raise StopIteration

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self) -> str:
        """The whole text. It waits for the end of the answer."""
        for _ in self:
            pass
        return self.text

    def close(self) -> None:
        """Stops the answer. The server keeps the text so far."""
        self._stream.close()


class Conversation:
    """A chat session, from `Svc.conversation`. Leaving `with` stops an answer that is not complete.

    Attributes:
        session_id: The id of the session; None before the first message of a new one.
    """

    def __init__(
        self,
        svc: Svc,
        session_id: Optional[str],
        title: Optional[str],
        options: Mapping[str, Any],
    ) -> None:
        self.session_id = session_id
        self._svc = svc
        self._title = title
        self._options = options
        # Weak, so that an answer that is left ends with its last variable.
        self._answer: Optional[weakref.ref[Answer]] = None

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stops the answer that is not complete. The session stays on the server."""
        answer = self._answer() if self._answer else None
        if answer:
            answer.close()

    def ask(self, message: str, **options: Any) -> Answer:
        """Sends a message.

        Args:
            options: Arguments of `conversations.chat_stream`, such as `file_ids` or `tools`.

        Raises:
            Forbidden: `email_not_verified`.
            RateLimited: The quota is used up.
        """
        self.close()
        if self.session_id is None and self._title is not None:
            self.session_id = self._svc.chat_sessions.create_chat_session(title=self._title)["id"]
        named = OMIT if self.session_id is None else self.session_id
        stream = self._svc.conversations.chat_stream(
            message=message, session_id=named, **{**self._options, **options}
        )
        answer = Answer(stream, self._set_session)
        self._answer = weakref.ref(answer)
        return answer

    def _set_session(self, session_id: str) -> None:
        self.session_id = session_id

    def messages(self, limit: int = 50) -> list[ChatMessage]:
        """The latest messages, oldest first."""
        if self.session_id is None:
            return []
        return self._svc.chat_sessions.list_chat_messages(self.session_id, limit=limit)
