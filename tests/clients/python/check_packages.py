"""Reads both packages, checks the hashes of the wheel, and prints what they contain as JSON."""

import base64
import csv
import email
import hashlib
import io
import json
import sys
import tarfile
import zipfile

wheel_path, sdist_path = sys.argv[1:]

with zipfile.ZipFile(wheel_path) as wheel:
    names = wheel.namelist()
    info = names[-1].rpartition("/")[0]
    record = list(csv.reader(io.StringIO(wheel.read(f"{info}/RECORD").decode())))
    for name, digest, size in record[:-1]:
        content = wheel.read(name)
        found = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert digest == f"sha256={found}", name
        assert int(size) == len(content), name
    assert [row[0] for row in record] == names, record
    assert record[-1] == [f"{info}/RECORD", "", ""]
    metadata = email.message_from_bytes(wheel.read(f"{info}/METADATA"))

with tarfile.open(sdist_path) as sdist:
    sources = {member.name: member.mtime for member in sdist.getmembers()}
    assert len(set(sources.values())) == 1, sources

print(
    json.dumps(
        {
            "wheel": names,
            "sdist": list(sources),
            "metadata": {name.lower(): value for name, value in metadata.items()},
            "readme": metadata.get_payload(),
        }
    )
)
