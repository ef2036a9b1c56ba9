"""Prints where the client is imported from, and the version of its package if it is installed."""

import importlib.metadata

import svc_client

try:
    version = importlib.metadata.version("svc-client")
except importlib.metadata.PackageNotFoundError:
    version = None
with svc_client.Svc("http://localhost:1") as svc:
    print(svc_client.__file__)
    print(version)
