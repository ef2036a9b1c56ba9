"""Uploads from bytes, a path and an open file, and downloads."""

import io
import os
import sys
import zlib

from svc_client import BadRequest, Download, InvalidInput, NotFound, Svc, TooLarge

folder = sys.argv[1]
path = os.path.join(folder, 'an "odd" name.txt')
with open(path, "w", encoding="utf-8") as file:
    file.write("From a path.")


def png(size):
    """A white picture."""

    def chunk(kind, data):
        body = kind + data
        return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")

    head = size.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    rows = (b"\0" + b"\xff" * 3 * size) * size
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


with Svc() as svc:
    one = svc.files.upload_file(b"From bytes.", filename="one.txt")
    two = svc.files.upload_file(path)
    with open(path, "rb") as opened:
        three = svc.files.upload_file(opened, filename="three\r\n.txt")
    assert [each["name"] for each in svc.files.list_files()] == [
        "three__.txt",
        "an _odd_ name.txt",
        "one.txt",
    ]

    download = svc.files.get_file_content(one["id"])
    assert isinstance(download, Download)
    assert (download.type, download.size) == ("text/plain", 11)
    assert download.read() == b"From bytes."
    target = os.path.join(folder, "saved.txt")
    with svc.files.get_file_content(two["id"]) as download:
        download.save(target)
    with open(target, encoding="utf-8") as saved:
        assert saved.read() == "From a path."
    assert sorted(os.listdir(folder)) == sorted([os.path.basename(path), "saved.txt"])
    for part in svc.files.get_file_content(three["id"]):
        assert part == b"From a path."

    svc.files.delete_file(one["id"])
    for missing in (one["id"], "../../health"):
        try:
            svc.files.get_file_content(missing)
        except NotFound as error:
            assert error.detail != "Not Found", missing
        except InvalidInput as error:
            assert "file_id" in str(error), error

    avatar = svc.profile.upload_avatar(png(16), filename="me.png")["avatar_url"]
    with svc.profile.get_avatar(avatar.rpartition("/")[2]) as download:
        assert download.type == "image/webp"
        assert download.read().startswith(b"RIFF")
    try:
        svc.profile.upload_avatar(b"no picture")
    except BadRequest as error:
        assert error.status == 400

    try:
        svc.files.upload_file(b"a" * (26 * 1024 * 1024), filename="large.txt")
    except TooLarge as error:
        print(error.reason)

    lines = (b'{"content_text": "Line %d"}\n' % i for i in range(500))
    report = svc.memories.import_memories(io.BytesIO(b"".join(lines)))
    assert report["imported"] == 500, report
    assert len(list(svc.memories.export_memories())) == 500
    print("done")
