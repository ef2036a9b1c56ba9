"""Talks, regenerates and reads the events of a conversation."""

from svc_client import StreamFailed, Svc

with Svc() as svc:
    with svc.conversation(title="Numbers", depth="quick") as chat:
        answer = chat.ask("Count, please")
        pieces = list(answer)
        assert pieces == ["One ", "two ", "three."], pieces
        assert answer.text == "One two three."
        assert answer.message["content"] == answer.text
        assert answer.message["usage"]["output_tokens"] == 7
        assert answer.session_id == chat.session_id
        assert svc.chat_sessions.get_chat_session(chat.session_id)["title"] == "Numbers"
        assert chat.ask("Again").read() == "Four."
        assert [each["role"] for each in chat.messages()] == ["user", "assistant"] * 2
        session_id = chat.session_id

    with svc.conversation(session_id) as chat:
        assert len(chat.messages(limit=1)) == 1
        assert chat.ask("Go on").read() == "Five."

    names = []
    for event in svc.conversations.regenerate_stream(message="Go on", session_id=session_id):
        names.append(event["event"])
    assert names == ["start", "memories", "delta", "done"], names
    assert len(svc.chat_sessions.list_chat_messages(session_id)[-1]["versions"]) == 1

    assert svc.conversations.talk(message="Hello", agent_slug="bot")["icog_response"] == "Seven."
    with svc.conversations.talk_stream(message="Hello", agent_slug="bot", progress=True) as events:
        assert [event["event"] for event in events][0] == "memories"
    assert svc.agents.agent_timeline("bot")["total"] == 2

    try:
        svc.conversation(session_id).ask("Fail").read()
    except StreamFailed as error:
        print("failed:", error)

    with svc.activity.list_activity_stream() as events:
        assert next(events)["event"] == "ready"
