

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
            self.data = json.dumps(_given(body), allow_nan=False).encode()
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


def _given(body: Any) -> Any:
    """An object without the fields that are omitted."""
    if isinstance(body, Mapping):
        return {name: value for name, value in body.items() if value is not OMIT}
    return body


def _segment(value: str) -> str:
    """A part of a path. An empty or a relative one would name another endpoint."""
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"An id must not be {text!r}")
    return urllib.parse.quote(text, safe="")


def _query_text(query: Mapping[str, Any]) -> str:
    pairs = [
        (name, str(value).lower() if isinstance(value, bool) else str(value))
        for name, value in query.items()
        if value is not OMIT and value is not None
    ]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""
