from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever

from svc_client import Svc, langchain_history, langchain_retriever

with Svc() as svc:
    history = langchain_history(svc, "support-42")
    assert isinstance(history, BaseChatMessageHistory)
    assert history.messages == []
    history.clear()

    call = {"name": "weather", "args": {"city": "Lisbon"}, "id": "call_1"}
    messages = [
        SystemMessage("You are a helpful assistant."),
        HumanMessage("Yes"),
        AIMessage("Yes"),
        HumanMessage("Yes"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("18 degrees", tool_call_id="call_1"),
        HumanMessage([{"type": "text", "text": "In Lisbon?"}], id="h1"),
        HumanMessage(' {"svc_item": 1}'),
        HumanMessage('{"svc_item": 1}'),
        AIMessage("\n\n".join(f"Paragraph {i} \U0001f600 \\" for i in range(4000)), name="bot"),
    ]
    history.add_messages(messages[:3])
    history.add_messages(messages[3:])
    assert history.messages == messages, history.messages
    history.add_user_message("I live in Lisbon.")
    history.add_ai_message("Noted.")
    assert history.messages[-2:] == [HumanMessage("I live in Lisbon."), AIMessage("Noted.")]
    assert langchain_history(svc, "support-43").messages == []

    retriever = langchain_retriever(svc, limit=1)
    assert isinstance(retriever, BaseRetriever)
    (document,) = retriever.invoke("Who lives in Lisbon?")
    assert document.page_content == "I live in Lisbon.", document.page_content
    assert document.metadata["memory_id"] == document.id

    history.clear()
    assert history.messages == []
    history.add_user_message("Yes")
    assert history.messages == [HumanMessage("Yes")]
