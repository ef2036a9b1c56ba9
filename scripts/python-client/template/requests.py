

class Upload:
    """A file in a field of a form (`multipart/form-data`, RFC 7578)."""

    def __init__(self, field: str, file: FileInput, filename: Optional[str]) -> None:
        self.field, self.file = field, file
        self.filename = filename or _name_of(file)

    def encode(self) -> tuple[bytes, str]:
        """The body and its content type."""
        boundary = uuid.uuid4().hex
        name = re.sub(r'[\r\n"\\]', "_", self.filename)
        media_type = mimetypes.guess_type(self.filename)[0] or "application/octet-stream"
        head = (
            f"--{boundary}\r\n"
            f'Content-Disposition: form-data; name="{self.field}"; filename="{name}"\r\n'
            f"Content-Type: {media_type}\r\n\r\n"
        )
        body = head.encode() + _read_file(self.file) + f"\r\n--{boundary}--\r\n".encode()
        return body, f"multipart/form-data; boundary={boundary}"


def _name_of(file: FileInput) -> str:
    name = file if isinstance(file, (str, os.PathLike)) else getattr(file, "name", None)
    return os.path.basename(os.fspath(name)) if isinstance(name, (str, os.PathLike)) else "file"


def _read_file(file: FileInput) -> bytes:
    if isinstance(file, (bytes, bytearray)):
        return bytes(file)
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            return opened.read()
    return file.read()


_CHUNK_BYTES = 64 * 1024


def _chunks_of(file: FileInput) -> Iterator[bytes]:
    """The content of a file of any size, piece by piece."""
    if isinstance(file, (bytes, bytearray)):
        yield bytes(file)
        return
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            yield from iter(lambda: opened.read(_CHUNK_BYTES), b"")
        return
    yield from iter(lambda: file.read(_CHUNK_BYTES), b"")


def _is_rereadable(file: Optional[FileInput]) -> bool:
    return file is None or isinstance(file, (bytes, bytearray, str, os.PathLike))


class _Request:
    """One request, which may be sent several times."""

    def __init__(self, method: str, path: str, body: Any, file: Optional[FileInput]) -> None:
        self.method, self.path, self.file = method, path, file
        self.headers: dict[str, str] = {}
        self.data: Optional[bytes] = None
        self.can_repeat = _is_rereadable(file)
        if isinstance(body, Upload):
            self.data, self.headers["Content-Type"] = body.encode()
        elif body is not None:
            self.data = json.dumps(_plain(body), allow_nan=False).encode()
            self.headers["Content-Type"] = "application/json"
        elif file is not None:
            self.headers["Content-Type"] = "application/octet-stream"
            self.headers["Transfer-Encoding"] = "chunked"

    def send(self, connection: http.client.HTTPConnection, headers: Mapping[str, str]) -> None:
        body: Any = self.data
        if self.file is not None:
            body = _chunks_of(self.file)
        elif body is None and self.method in ("POST", "PUT", "PATCH"):
            body = b""
        connection.request(
            self.method,
            self.path,
            body=body,
            headers={**headers, **self.headers},
            encode_chunked=self.file is not None,
        )


def _plain(value: Any, name: str = "body") -> Any:
    """A value as JSON can hold it: without the fields that are omitted, and with times as texts."""
    if isinstance(value, Mapping):
        fields = value.items()
        return {key: _plain(each, str(key)) for key, each in fields if each is not OMIT}
    if isinstance(value, (list, tuple)):
        return [_plain(each, name) for each in value]
    return _time_text(name, value) if isinstance(value, date) else value


def _time_text(name: str, value: date) -> str:
    """A date or a time in ISO 8601."""
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise ValueError(
            f"{name} must have a time zone. For the one of this machine: value.astimezone()"
        )
    return value.isoformat()


def _path(template: str, **values: Any) -> str:
    """A path with its parameters. An empty one or a relative one would name another endpoint."""
    for name, value in values.items():
        text = "" if value is None or value is OMIT else str(value)
        if text.strip() in ("", ".", ".."):
            raise ValueError(f"{name} must not be {'None' if value is None else repr(text)}")
        template = template.replace(f"{{{name}}}", urllib.parse.quote(text, safe=""))
    return template


def _supersedes(value: Any) -> bool:
    """Whether a memory supersedes another one, or one of several memories does."""
    if isinstance(value, (list, tuple)):
        return any(
            isinstance(memory, Mapping) and _supersedes(memory.get("supersedes", OMIT))
            for memory in value
        )
    return value is not OMIT and value is not None


def _query_text(query: Mapping[str, Any]) -> str:
    pairs = [
        (name, str(each).lower() if isinstance(each, bool) else str(_plain(each, name)))
        for name, value in query.items()
        for each in (value if isinstance(value, (list, tuple)) else [value])
        if each is not OMIT and each is not None
    ]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""
