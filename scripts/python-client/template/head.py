"""The Python client of svc: accounts, memory and conversation for people and AI agents.

It needs the standard library of Python 3.9 or later alone. `svc_client.aio` has the client for
asyncio.

    from svc_client import Svc

    svc = Svc("http://localhost:3000", api_key="svc_...")
    svc.memories.remember(content="Ada prefers tea to coffee.")
    for memory in svc.memories.recall(query="What does Ada drink?")["memories"]:
        print(memory["content_text"])

This file is generated from the contract of the server, by `scripts/python-client.ts` of svc. A
change belongs in the contract or in `scripts/python-client/template`.
"""

from __future__ import annotations

import contextlib
import copy
import copyreg
import functools
import http.client
import ipaddress
import itertools
import json
import mimetypes
import os
import random
import re
import selectors
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
import uuid
import weakref
from datetime import date, datetime, timezone
from email.utils import parsedate_to_datetime
from http.cookies import CookieError, SimpleCookie
from typing import (
    IO,
    Any,
    Callable,
    Generic,
    Iterator,
    Literal,
    Mapping,
    Optional,
    Sequence,
    TypedDict,
    TypeVar,
    Union,
)

__version__ = "{{version}}"

DEFAULT_URL = "http://localhost:3000"
REFRESH_COOKIE = "refresh_token"

#: The content of a file: bytes, a path, or a file that is open for reading bytes.
FileInput = Union[bytes, str, "os.PathLike[str]", IO[bytes]]

#: A time: a `datetime` with a time zone, a `date`, which is a whole day, or a text in ISO 8601.
Time = Union[str, datetime, date]

T = TypeVar("T")


class _Omit:
    """The value of an argument that is not sent. `None` is sent as null."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT: Any = _Omit()
