"""Leaves streams before their end, in each way that there is."""

import sys

from svc_client import Svc

way = sys.argv[1]
with Svc() as svc:
    if way == "with":
        with svc.conversations.chat_stream(message="Count") as events:
            for event in events:
                if event["event"] == "delta":
                    break
    elif way == "variable":
        for event in svc.conversations.chat_stream(message="Count"):
            if event["event"] == "delta":
                break
        # The loop had the only reference to the stream.
    elif way == "conversation":
        with svc.conversation() as chat:
            for _ in chat.ask("Count"):
                break
        messages = svc.chat_sessions.list_chat_messages(chat.session_id)
        assert messages[0]["content"] == "Count"
    elif way == "answer":
        for _ in svc.conversation().ask("Count"):
            break
    elif way == "next":
        chat = svc.conversation()
        next(chat.ask("Count"))
        assert chat.ask("Go on").read() == "Done."
    print("left")
    # The model server sees the closed connection while this program still runs.
    sys.stdin.readline()
