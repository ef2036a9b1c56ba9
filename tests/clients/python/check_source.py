"""Checks the source of the client, and prints what it has as JSON."""

import ast
import importlib.util
import inspect
import json
import sys
import typing

import svc_client
import svc_client.aio

MODULES = (svc_client, svc_client.aio)
sources = [inspect.getsource(module) for module in MODULES]
trees = [ast.parse(source, feature_version=(3, 9)) for source in sources]

imported = set()
for node in (node for tree in trees for node in ast.walk(tree)):
    if isinstance(node, ast.Import):
        imported.update(alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        imported.add(node.module)
known = getattr(sys, "stdlib_module_names", None)  # Python 3.10


def is_standard(name):
    package = name.split(".")[0]
    return package in known if known else importlib.util.find_spec(package) is not None


hints = 0
names = [module.__name__ for module in MODULES]
values = {id(value): value for module in MODULES for value in vars(module).copy().values()}
for value in values.values():
    if getattr(value, "__module__", None) not in names:
        continue
    if hasattr(value, "__required_keys__"):
        typing.get_type_hints(value)
        hints += 1
    elif inspect.isclass(value):
        for _, method in inspect.getmembers(value, inspect.isfunction):
            if method.__module__ in names:
                typing.get_type_hints(method)
                hints += 1
    elif inspect.isfunction(value):
        typing.get_type_hints(value)
        hints += 1



def calls_of(svc, kind):
    found = {}
    for group, value in vars(svc).items():
        if isinstance(value, kind):
            for name, method in inspect.getmembers(value, inspect.ismethod):
                if not name.startswith("_"):
                    assert inspect.getdoc(method), name
                    found.setdefault(group, {})[name] = list(inspect.signature(method).parameters)
    return found


calls = calls_of(svc_client.Svc("http://localhost:1"), svc_client._Calls)
async_svc = svc_client.aio.AsyncSvc("http://localhost:1")
async_calls = calls_of(async_svc, svc_client.aio._AsyncCalls)

print(
    json.dumps(
        {
            "version": svc_client.__version__,
            "foreign": sorted(name for name in imported if not is_standard(name)),
            "longest": max(len(line) for source in sources for line in source.splitlines()),
            "calls": calls,
            "async_calls": async_calls,
            "hints": hints,
        }
    )
)
