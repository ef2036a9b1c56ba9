"""Checks the source of the client, and prints what it has as JSON."""

import ast
import importlib.util
import inspect
import json
import sys
import typing

import svc_client

source = inspect.getsource(svc_client)
tree = ast.parse(source, feature_version=(3, 9))

imported = set()
for node in ast.walk(tree):
    if isinstance(node, ast.Import):
        imported.update(alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        imported.add(node.module)
known = getattr(sys, "stdlib_module_names", None)  # Python 3.10


def is_standard(name):
    package = name.split(".")[0]
    return package in known if known else importlib.util.find_spec(package) is not None


calls = {}
hints = 0
for value in vars(svc_client).copy().values():
    if getattr(value, "__module__", None) != "svc_client":
        continue
    if hasattr(value, "__required_keys__"):
        typing.get_type_hints(value)
        hints += 1
    elif inspect.isclass(value):
        for _, method in inspect.getmembers(value, inspect.isfunction):
            if method.__module__ == "svc_client":
                typing.get_type_hints(method)
                hints += 1
    elif inspect.isfunction(value):
        typing.get_type_hints(value)
        hints += 1

with svc_client.Svc("http://localhost:1") as svc:
    for group, value in vars(svc).items():
        if isinstance(value, svc_client._Calls):
            for name, method in inspect.getmembers(value, inspect.ismethod):
                if not name.startswith("_"):
                    assert inspect.getdoc(method), name
                    calls.setdefault(group, []).append(name)

print(
    json.dumps(
        {
            "version": svc_client.__version__,
            "foreign": sorted(name for name in imported if not is_standard(name)),
            "longest": max(len(line) for line in source.splitlines()),
            "calls": calls,
            "hints": hints,
        }
    )
)
