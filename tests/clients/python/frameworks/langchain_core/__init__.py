"""The interfaces of langchain-core that the client uses, as its reference documents them."""
