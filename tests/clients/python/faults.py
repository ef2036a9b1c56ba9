"""Makes one call, and prints its result or its error with the pauses before retries, as JSON.

The first argument is an expression with `svc`; the others are options of `Svc`.
"""

import json
import os
import socket
import sys

import svc_client
from svc_client import OMIT, AgentsSession, Svc  # noqa: F401, for the expressions

waits = []
svc_client.time.sleep = waits.append

resolve, named = socket.getaddrinfo, os.environ.get("TEST_RESOLVE")
socket.getaddrinfo = lambda host, *rest, **options: resolve(
    "127.0.0.1" if host == named else host, *rest, **options
)

expression = sys.argv[1]
options = {"max_retries": 2, **json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}")}
answer = {}
with Svc(**options) as svc:
    try:
        answer["result"] = eval(expression)
    except (svc_client.SvcError, ValueError) as error:
        answer["error"] = type(error).__name__
        answer["message"] = str(error)
        fields = ("status", "reason", "fix", "request_id", "retry_after", "is_sent", "detail")
        answer.update({name: getattr(error, name) for name in fields if hasattr(error, name)})
    answer["refresh_token"] = svc.refresh_token
answer["waits"] = waits
print(json.dumps(answer, default=str))
