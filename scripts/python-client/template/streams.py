

class Stream(Generic[T]):
    """The parts of a streamed response, as they arrive.

    The connection is kept for other calls when the stream ends, and closed when it is left: by
    `with`, by `close()`, or once no variable refers to the stream.

        with svc.conversations.chat_stream(message="Hello") as events:
            for event in events:
                ...

    Attributes:
        last_event_id: The id of the last event that had one.

    Raises:
        StreamFailed: The server ended the stream with an error.
        StreamCut: The connection ended before the stream.
    """

    def __init__(self, reply: _Reply, media_type: str, last: Optional[str]) -> None:
        self._reply = reply
        self._is_open = True
        # The generators do not refer to this object, so that it ends with its last variable.
        self._ids: list[str] = []
        is_events = media_type == "text/event-stream"
        self._parts = _read_events(reply, last, self._ids) if is_events else _read_values(reply)

    @property
    def last_event_id(self) -> Optional[str]:
        return self._ids[-1] if self._ids else None

    def __iter__(self) -> Stream[T]:
        return self

    def __next__(self) -> T:
        if not self._is_open:
            raise StopIteration
        try:
            return next(self._parts)
        except StopIteration:
            self._is_open = False
            self._reply.finish()
            raise
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_is_open", False):
            self.close()

    def close(self) -> None:
        """Closes the connection. The server then stops to work for it."""
        if self._is_open:
            self._is_open = False
            self._reply.close()


def _read_lines(reply: _Reply) -> Iterator[str]:
    rest = b""
    for piece in reply.pieces():
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        for line in lines:
            yield line.rstrip(b"\r").decode("utf-8", "replace")
    if rest:
        raise StreamCut("The response ended within a line")


def _read_values(reply: _Reply) -> Iterator[Any]:
    """The values of NDJSON, one on each line."""
    for line in _read_lines(reply):
        if line:
            yield _parse_part(line)


def _read_events(reply: _Reply, last: Optional[str], ids: list[str]) -> Iterator[Any]:
    """Server-sent events. Comments keep the connection alive and are skipped.

    Args:
        last: The event without which the stream is incomplete.
        ids: Gets the id of the last event that had one.
    """
    name = "message"
    data: list[str] = []
    is_complete = last is None
    for line in _read_lines(reply):
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id":
            ids[:] = [value]
        if line:
            continue
        if data:
            text = "\n".join(data)
            content = _parse_part(reply.without_secrets(text) if name == "error" else text)
            if name == "error":
                raise StreamFailed(content.get("detail") if isinstance(content, dict) else None)
            is_complete = is_complete or name == last
            yield {"event": name, "data": content}
        name, data = "message", []
    if not is_complete:
        raise StreamCut(f"The stream ended without the event {last}")


def _parse_part(text: str) -> Any:
    with contextlib.suppress(ValueError):
        return json.loads(text)
    raise StreamCut("A part of the stream was cut off")


class Download:
    """The content of a file, as it arrives. Leaving `with` closes the connection.

    Attributes:
        type: The media type.
        size: The size in bytes, if the server sent it.
    """

    def __init__(self, reply: _Reply) -> None:
        self.type = reply.headers.get_content_type()
        length = reply.headers.get("Content-Length") or ""
        self.size = int(length) if length.isdigit() else None
        self._reply = reply
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        if not self._is_open:
            return
        try:
            yield from self._reply.pieces()
        except BaseException:
            self.close()
            raise
        self._is_open = False
        self._reply.finish()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_is_open", False):
            self.close()

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._reply.close()

    def read(self) -> bytes:
        """The rest of the content."""
        return b"".join(self)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the content to a file, which exists only once it is complete."""
        partial = f"{os.fspath(path)}.{uuid.uuid4().hex[:8]}.part"
        try:
            with open(partial, "wb") as file:
                for piece in self:
                    file.write(piece)
            os.replace(partial, path)
        finally:
            if os.path.exists(partial):
                os.remove(partial)
