"""Makes one call, and prints its result or its error with the pauses before retries, as JSON.

The first argument is an expression with `svc`; the others are options of `Svc`. Each error must be
the same after a copy, and neither it nor a function that it passed may show the key. With the
option `repeats` the server repeats the key, so variables of functions may have its response.
"""

import copy
import datetime  # noqa: F401, for the expressions
import json
import os
import pickle
import socket
import sys
import traceback

import svc_client
from svc_client import OMIT, AgentsSession, Svc  # noqa: F401, for the expressions

waits = []
svc_client.time.sleep = waits.append

resolve, named = socket.getaddrinfo, os.environ.get("TEST_RESOLVE")
socket.getaddrinfo = lambda host, *rest, **options: resolve(
    "127.0.0.1" if host == named else host, *rest, **options
)


def safe_repr(value):
    """Of an object that may not be complete."""
    try:
        return repr(value)
    except AttributeError:
        return ""


def shown(error):
    """All that a report of an error could show: with its causes, and the variables of functions."""
    while error is not None:
        yield str(error)
        yield repr(error)
        yield repr(error.args)
        yield repr(vars(error))
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_name != "<module>" and not repeats:
                yield from (safe_repr(value) for value in frame.f_locals.values())
        error = error.__cause__ or error.__context__


def check(error, secrets):
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is type(error), other
        assert (other.args, vars(other)) == (error.args, vars(error)), other
    for text in shown(error):
        for secret in secrets:
            assert secret not in text, text


expression = sys.argv[1]
options = {"max_retries": 2, **json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}")}
repeats = options.pop("repeats", False)
secrets = [options[name] for name in ("api_key", "refresh_token") if options.get(name)]
answer = {}
with Svc(**options) as svc:
    try:
        answer["result"] = eval(expression)
    except (svc_client.SvcError, ValueError) as error:
        check(error, secrets)
        answer["error"] = type(error).__name__
        answer["message"] = str(error)
        fields = ("status", "reason", "fix", "request_id", "retry_after", "is_sent", "detail")
        answer.update({name: getattr(error, name) for name in fields if hasattr(error, name)})
    answer["refresh_token"] = svc.refresh_token
answer["waits"] = waits
print(json.dumps(answer, default=str))
