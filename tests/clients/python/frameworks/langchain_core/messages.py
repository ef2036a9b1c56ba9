class BaseMessage:
    type = "base"

    def __init__(self, content, **fields):
        self.content = content
        self.additional_kwargs = fields.pop("additional_kwargs", {})
        self.response_metadata = fields.pop("response_metadata", {})
        self.name = fields.pop("name", None)
        self.id = fields.pop("id", None)
        for name, value in fields.items():
            setattr(self, name, value)

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self):
        return f"{type(self).__name__}({vars(self)})"


class HumanMessage(BaseMessage):
    type = "human"


class AIMessage(BaseMessage):
    type = "ai"

    def __init__(self, content, **fields):
        super().__init__(content, **{"tool_calls": [], **fields})


class SystemMessage(BaseMessage):
    type = "system"


class ToolMessage(BaseMessage):
    type = "tool"


_TYPES = {kind.type: kind for kind in (HumanMessage, AIMessage, SystemMessage, ToolMessage)}


def message_to_dict(message):
    return {"type": message.type, "data": {**vars(message), "type": message.type}}


def messages_from_dict(messages):
    return [
        _TYPES[each["type"]](**{k: v for k, v in each["data"].items() if k != "type"})
        for each in messages
    ]
