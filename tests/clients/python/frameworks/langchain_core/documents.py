class Document:
    def __init__(self, *, page_content, metadata, id=None):
        self.page_content, self.metadata, self.id = page_content, metadata, id
