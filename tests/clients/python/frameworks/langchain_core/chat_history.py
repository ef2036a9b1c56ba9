from abc import ABC, abstractmethod

from .messages import AIMessage, HumanMessage


class BaseChatMessageHistory(ABC):
    messages: list

    def add_user_message(self, message):
        self.add_message(HumanMessage(content=message) if isinstance(message, str) else message)

    def add_ai_message(self, message):
        self.add_message(AIMessage(content=message) if isinstance(message, str) else message)

    def add_message(self, message):
        self.add_messages([message])

    def add_messages(self, messages):
        raise NotImplementedError

    @abstractmethod
    def clear(self):
        raise NotImplementedError
