import sys

from svc_client import Svc, langchain_history, langchain_retriever

assert not any(name.startswith(("langchain", "agents")) for name in sys.modules)
with Svc() as svc:
    for create in (lambda: langchain_history(svc, "a"), lambda: langchain_retriever(svc)):
        try:
            create()
        except ImportError as error:
            print(error.name)
