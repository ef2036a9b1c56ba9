"""Stores, finds, changes and exports memories, with the key in SVC_API_KEY."""

import io
import json

from svc_client import NotFound, Svc

with Svc() as svc:
    stored = svc.memories.remember(content="The spare key is under the blue pot.", tags=["home"])
    svc.memories.remember_batch(
        memories=[
            {"content": "Ada moved to Lisbon in 2021.", "thread": "diary"},
            {"content": "Ada learns Portuguese.", "thread": "diary", "importance": 0.9},
        ]
    )

    found = svc.memories.recall(query="Where is the spare key?", limit=1)
    print("found:", found["memories"][0]["content_text"])

    changed = svc.memories.update_memory(stored["memory_id"], content="The spare key is gone.")
    print("changed:", changed["content_text"])

    svc.memories.delete_memory(stored["memory_id"])
    try:
        svc.memories.get_memory(stored["memory_id"])
    except NotFound as error:
        print("deleted:", error.reason)
    svc.memories.restore_memory(stored["memory_id"])

    exported = list(svc.memories.export_memories())
    print("exported:", len(exported))

    lines = "".join(json.dumps({"content_text": f"Line {i} of a log."}) + "\n" for i in range(3))
    report = svc.memories.import_memories(io.BytesIO(lines.encode()))
    print("imported:", report["imported"])
