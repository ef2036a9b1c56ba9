from abc import ABC, abstractmethod


class BaseRetriever(ABC):
    """A model of pydantic: its fields are the annotations of the class."""

    def __init__(self, **fields):
        declared = type(self).__annotations__
        if set(fields) != set(declared):
            raise TypeError(f"fields are {sorted(declared)}")
        for name, value in fields.items():
            setattr(self, name, value)

    def invoke(self, query):
        return self._get_relevant_documents(query, run_manager=object())

    @abstractmethod
    def _get_relevant_documents(self, query, *, run_manager):
        raise NotImplementedError
